"""Scripted players: they sit down through the gateway's public protocol and play whole matches."""
