"""The few pages of the gateway itself, without scripts or anything from elsewhere; and the signs of life."""

from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from litestar import MediaType, Response, get
from litestar.connection import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.gateway.asyncapi import document
from services.gateway.gateway import Gateway
from services.gateway.http import Here, live_matches

STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1.5rem; }
header { display: flex; justify-content: space-between; align-items: baseline; border-bottom: 1px solid #8886; }
h1 { font-size: 1.8rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: start; padding: .4rem .8rem .4rem 0; }
th { font-weight: 600; } tr + tr td { border-top: 1px solid #8883; }
code { font: .9em ui-monospace, monospace; } nav a { margin-inline-end: 1.2rem; } .quiet { color: #888; }
"""


def page(title: str, body: str) -> str:
    """Return a whole page."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{escape(title)}</title><style>{STYLE}</style></head>'
        f"<body>{body}</body></html>"
    )


@get("/", media_type=MediaType.HTML, include_in_schema=False)
async def home(gateway: Here) -> str:
    """Say what runs here."""
    rows = "".join(
        f"<tr><td>{_both(gateway, match.game)}</td><td><code>{escape(match.match)}</code></td>"
        f"<td>{match.deal}</td><td>{match.stake or '—'}</td><td>{escape(', '.join(match.players))}</td>"
        f"<td>{datetime.fromtimestamp(match.began / 1000, UTC):%H:%M} UTC</td></tr>"
        for match in (await live_matches(gateway))[:100]
    )
    heads = "".join(
        f'<th>{en} <span class="quiet" lang="ar" dir="rtl">{ar}</span></th>'
        for en, ar in (
            ("Game", "اللعبة"),
            ("Match", "المباراة"),
            ("Deal", "التوزيعة"),
            ("Stake", "الرهان"),
            ("Players", "اللاعبون"),
            ("Since", "منذ"),
        )
    )
    listed = f"<table><tr>{heads}</tr>{rows}</table>" if rows else '<p class="quiet">None at the moment.</p>'
    games = " · ".join(_both(gateway, name) for name in gateway.games)
    return page(
        "Shadda · شدّة",
        '<header><h1>Shadda</h1><h1 lang="ar" dir="rtl">شدّة</h1></header>'
        '<p>Arabic card games. <span lang="ar" dir="rtl">ألعاب ورق عربية.</span></p>'
        f"<p>{games}</p>"
        '<h2>Live matches <span lang="ar" dir="rtl">المباريات الجارية</span></h2>'
        f"{listed}"
        '<h2>For developers <span lang="ar" dir="rtl">للمطورين</span></h2>'
        '<nav><a href="/docs">HTTP (OpenAPI)</a><a href="/asyncapi">WebSocket (AsyncAPI)</a>'
        '<a href="/v1/games">Games</a><a href="/v1/matches">Matches</a><a href="/metrics">Metrics</a>'
        '<a href="/readyz">Ready?</a></nav>',
    )


def _both(gateway: Gateway, game: str) -> str:
    texts = gateway.games[game].texts if game in gateway.games else {}
    english, arabic = texts.get("game", (game, ""))
    return f'{escape(english)} <span lang="ar" dir="rtl">{escape(arabic)}</span>'


@get("/asyncapi", include_in_schema=False, sync_to_thread=False)
def asyncapi(gateway: Here) -> dict[str, Any]:
    """Describe the WebSocket."""
    return document(gateway.games)


@get("/livez", media_type=MediaType.TEXT, include_in_schema=False, sync_to_thread=False)
def livez() -> str:
    """Say that the process runs."""
    return "ok"


@get("/readyz", media_type=MediaType.TEXT, include_in_schema=False, sync_to_thread=False)
def readyz(gateway: Here) -> Response[str]:
    """Say whether the bus is there."""
    if gateway.bus.connected:
        return Response("ok")
    return Response("the bus is not connected", status_code=503)


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(gateway: Here) -> Response[bytes]:
    """Show the counters."""
    return Response(generate_latest(gateway.metrics.registry), media_type=CONTENT_TYPE_LATEST)


class PlainDocument(OpenAPIRenderPlugin):
    """The OpenAPI document as a page that needs no scripts and nothing from elsewhere."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the page."""
        parts = [f"<header><h1>{escape(openapi_schema['info']['title'])}</h1></header>"]
        parts.append(f'<p><a href="{escape(self.get_openapi_json_route(request))}">The document as JSON</a></p>')
        for path, methods in openapi_schema["paths"].items():
            for method, operation in methods.items():
                parts.append(f"<h2><code>{method.upper()} {escape(path)}</code></h2>")
                parts.append(
                    f"<p>{escape(operation.get('summary', ''))}. {escape(operation.get('description', ''))}</p>"
                )
                parts.extend(_fields(operation, openapi_schema))
        return page(openapi_schema["info"]["title"], "".join(parts)).encode()


def _fields(operation: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    """Return tables of what an operation takes and gives."""
    taken = operation.get("requestBody", {}).get("content", {})
    given = operation.get("responses", {}).get("200", {}).get("content", {})
    tables = []
    for title, content in (("takes", taken), ("gives", given)):
        reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
        fields = schema.get("components", {}).get("schemas", {}).get(reference.rpartition("/")[2], {})
        rows = "".join(
            f"<tr><td><code>{escape(name)}</code></td><td>{escape(str(kind.get('type', 'any')))}</td></tr>"
            for name, kind in fields.get("properties", {}).items()
        )
        if rows:
            tables.append(f'<p class="quiet">{title}</p><table>{rows}</table>')
    return tables


HANDLERS: Final = (home, asyncapi, livez, readyz, metrics)
