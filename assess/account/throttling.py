"""Who is signing in, as far as the throttle is concerned."""


def address_before_proxy(request) -> str:
    """The client's address as our own proxy wrote it: the last one, since a client can invent the others."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return forwarded.rsplit(",", 1)[-1].strip() or request.META["REMOTE_ADDR"]
