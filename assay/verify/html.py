"""The result as one HTML page, with each head as a QR code."""

from html import escape
from io import BytesIO

import segno

from assay.verify.result import Report
from pooling.palette import INK, WHITE

STYLE = (
    f"body{{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:{INK}}}"
    f"code{{overflow-wrap:anywhere}}li{{margin:.3rem 0}}figure{{margin:1rem 0}}svg{{background:{WHITE}}}"
)


def html_report(report: Report) -> str:
    """Return the page. It loads nothing from elsewhere."""
    parts = [
        f"<h2>{escape(title)}</h2>\n<ul>\n{''.join(f'<li>{escape(line)}</li>{chr(10)}' for line in lines)}</ul>\n"
        for title, lines in report.parts()
    ]
    codes = [
        f"<figure>{qr_svg(each.hash)}<figcaption>{escape(each.what)}<br><code>{escape(each.hash)}</code></figcaption>"
        "</figure>\n"
        for each in report.heads
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.headline)}</title><style>{STYLE}</style></head>\n<body>\n"
        f"<h1>{escape(report.headline)}</h1>\n{''.join(parts)}{''.join(codes)}</body>\n</html>\n"
    )


def qr_svg(text: str, scale: int = 4) -> str:
    """Return a QR code as SVG."""
    file = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(file, kind="svg", xmldecl=False, scale=scale, border=4, light="white")
    return file.getvalue().decode()
