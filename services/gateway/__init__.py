"""The gateway: the one door for players' apps, by HTTP and WebSocket."""
