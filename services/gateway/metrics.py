"""What the gateway counts, for ``/metrics``."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class Metrics:
    """The gateway's counters, in a registry of their own."""

    def __init__(self) -> None:
        """Make them at zero."""
        registry = CollectorRegistry()
        self.registry = registry
        self.connections = Gauge("shadda_gateway_connections", "Open connections of players", registry=registry)
        self.players = Gauge("shadda_gateway_players", "Players who are followed on the bus", registry=registry)
        self.received = Counter("shadda_gateway_frames_received", "Frames by what they ask", ["do"], registry=registry)
        self.sent = Counter("shadda_gateway_frames_sent", "Frames sent to players", registry=registry)
        self.refused = Counter(
            "shadda_gateway_frames_refused", "Frames that the gateway itself refused", ["code"], registry=registry
        )
        self.closed = Counter(
            "shadda_gateway_closed", "Connections that the gateway closed", ["reason"], registry=registry
        )
        self.asked = Histogram(
            "shadda_gateway_request_seconds",
            "Time until another service answered, tries included",
            ["service"],
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
            registry=registry,
        )
        self.unavailable = Counter(
            "shadda_gateway_unavailable", "Requests that no service answered in time", ["service"], registry=registry
        )
