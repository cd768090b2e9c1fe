"""What the operator sets about a gateway."""

import msgspec

from services.tokens import SECRET_BYTES


class GatewaySettings(msgspec.Struct, frozen=True, kw_only=True):
    """Spans are in seconds, sizes in bytes, amounts in minor units."""

    session_secret: str  # signs sessions; the same on every gateway
    token_key: str = ""  # checks operators' tokens: a public key in PEM, or the HS256 secret; empty: none accepted
    session_seconds: int = 24 * 3600
    guests: bool = False  # whether anybody may come in without a token
    guest_amount: int = 0  # play money on arrival
    partitions: tuple[str, ...] = ()  # those that matches are spread over; empty: any
    origins: tuple[str, ...] = ()  # web addresses whose pages may connect, beside the gateway's own; "*": all
    frame_bytes: int = 64 * 1024
    hello_seconds: float = 10.0  # a connection that has not signed in by then is closed
    request_seconds: float = 10.0  # how long another service is asked before the answer is UNAVAILABLE
    rate_per_second: float = 50.0  # frames of one player; 0: any number
    rate_burst: int = 200
    strikes: int = 20  # bad frames that close a connection; one is forgiven every second
    connections_per_player: int = 8
    linger_seconds: float = 60.0  # how long frames are kept for a player whose line dropped
    buffer_events: int = 128  # of each player at each table
    queue_frames: int = 1024  # waiting for one slow connection, which is closed beyond

    def __post_init__(self) -> None:
        """Refuse a secret that is too short to keep."""
        if len(self.session_secret.encode()) < SECRET_BYTES:
            message = f"the session secret needs at least {SECRET_BYTES} bytes"
            raise ValueError(message)
