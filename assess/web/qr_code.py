"""QR codes of addresses, as images within a page."""

import segno


def qr_code(address: str, scale: int) -> str:
    """Return the `src` of an image in which each module of the code has `scale` pixels."""
    return segno.make(address, error="m", micro=False).svg_data_uri(border=4, light="white", scale=scale)
