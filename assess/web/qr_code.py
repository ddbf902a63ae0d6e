"""QR codes, as images within a page."""

from io import BytesIO

import segno


def qr_code(address: str, scale: int) -> str:
    """Return the `src` of an image in which each module of the code has `scale` pixels."""
    return _made(address).svg_data_uri(scale=scale, border=4, light="white")


def qr_svg(text: str, scale: int) -> str:
    """Return the same image as an SVG file."""
    file = BytesIO()
    _made(text).save(file, kind="svg", xmldecl=False, scale=scale, border=4, light="white")
    return file.getvalue().decode()


def _made(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)
