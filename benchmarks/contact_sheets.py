"""Sheets with several pictures beside each other, to look at many pages one after the other."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

BESIDE = {390: 4, 1024: 2, 1360: 2}  # pictures on one sheet, by the width of a page
CUT = 1_500  # px of a picture that its sheet shows
WIDEST, HIGHEST = 2_000, 1_600
GAP, TITLE = 16, 28


def write_sheets(folder: Path, names: list[str], width: int) -> None:
    """Write the pictures of a folder to sheet-01.png and so on, which replace earlier sheets."""
    for earlier in folder.glob("sheet-*.png"):
        earlier.unlink()
    beside = BESIDE[width]
    for number, start in enumerate(range(0, len(names), beside), start=1):
        _sheet(folder, names[start : start + beside], width).save(folder / f"sheet-{number:02}.png")


def _sheet(folder: Path, names: list[str], width: int) -> Image.Image:
    pictures = [Image.open(folder / f"{name}.png").convert("RGB") for name in names]
    height = min(max(picture.height for picture in pictures), CUT)
    sheet = Image.new("RGB", ((width + GAP) * len(names) - GAP, height + TITLE), "#808080")
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(20)
    for place, (name, picture) in enumerate(zip(names, pictures, strict=True)):
        left = place * (width + GAP)
        draw.text((left + 4, 2), name, "white", font)
        sheet.paste(picture.crop((0, 0, width, min(picture.height, CUT))), (left, TITLE))
    sheet.thumbnail((WIDEST, HIGHEST))
    return sheet
