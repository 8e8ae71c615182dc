"""Scores reading pages that suffered: faded, stained, folded, faxed, askew.

usage: degraded.py PARSE_SCORE EINVOICE_BINARY PDF_FOLDER [OPTIONS OF parse_score.py]

PARSE_SCORE is the path of parse_score.py, whose measure this is; only the pictures are
others. Twenty PDFs of one page are taken from the folder, spread over it. What is done to a
page is decided by its name alone, so that a run can be repeated.
"""
import importlib.util, os, random, subprocess, sys, tempfile, zlib
from PIL import Image, ImageChops, ImageDraw, ImageFilter

PAGES = 20
FAX_BLACK = 150  # of 255, the lightest grey that a fax sends as black


def stained(page, rnd):
    """The ring of a cup, which multiplies into what is printed."""
    layer = Image.new("L", page.size, 255)
    x, y, r = rnd.uniform(.1, .8) * page.width, rnd.uniform(.1, .8) * page.height, rnd.uniform(.08, .14) * page.width
    ImageDraw.Draw(layer).ellipse((x - r, y - r, x + r, y + r), fill=238, outline=205, width=max(int(r / 9), 2))
    return ImageChops.multiply(page, layer.filter(ImageFilter.GaussianBlur(3)))


def folded(page, rnd):
    """Two folds, each with a shadow below it."""
    layer = Image.new("L", page.size, 255)
    draw = ImageDraw.Draw(layer)
    for at in (1 / 3, 2 / 3):
        y = int((at + rnd.uniform(-.02, .02)) * page.height)
        for i in range(24):
            draw.line((0, y + i, page.width, y + i + rnd.randint(-1, 1)), fill=205 + 2 * i)
    return ImageChops.multiply(page, layer)


def faxed(page, rnd):
    """200 by 100 dots an inch in black and white, with drop-outs."""
    small = page.resize((page.width, page.height // 2), Image.BILINEAR).point(lambda v: 255 if v > FAX_BLACK else 0)
    draw = ImageDraw.Draw(small)
    for _ in range(3):
        y = rnd.randrange(small.height)
        draw.line((0, y, small.width, y), fill=255)
    return small.resize(page.size, Image.NEAREST)


def faded(page, rnd):
    """Toner that runs out towards one side."""
    shade = Image.linear_gradient("L").rotate(rnd.choice((0, 90, 180, 270))).resize(page.size)
    return ImageChops.lighter(page, shade.point(lambda v: int(v * .55)))


def speckled(page, rnd):
    draw = ImageDraw.Draw(page)
    for _ in range(900):
        x, y = rnd.randrange(page.width), rnd.randrange(page.height)
        draw.point((x, y), fill=rnd.choice((0, 70, 255)))
    return page


DAMAGE = [(stained,), (folded,), (faxed,), (faded,), (speckled,), (stained, folded), (faded, speckled), (folded, faded)]


def degrade(pdf, _, out):
    rnd = random.Random(zlib.crc32(os.path.basename(pdf).encode()))
    subprocess.run(["pdftoppm", "-r", "200", "-gray", "-png", pdf, out], check=True)
    folder, pages = os.path.dirname(out), []
    for name in sorted(f for f in os.listdir(folder) if f.startswith(os.path.basename(out)) and f.endswith(".png")):
        page = Image.open(os.path.join(folder, name)).convert("L")
        for damage in DAMAGE[zlib.crc32(os.path.basename(pdf).encode()) % len(DAMAGE)]:
            page = damage(page, rnd)
        page = page.rotate(rnd.uniform(-2.5, 2.5), Image.BICUBIC, fillcolor=245)
        page = Image.blend(page, Image.effect_noise(page.size, 40), .08)
        path = os.path.join(folder, name[:-4] + ".jpg")
        page.save(path, quality=45)
        pages.append(Image.open(path))
    pages[0].save(out + ".pdf", save_all=True, append_images=pages[1:], resolution=200)
    return out + ".pdf"


def main():
    spec = importlib.util.spec_from_file_location("parse_score", sys.argv[1])
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    score.degrade = degrade
    files = sorted(os.path.join(sys.argv[3], f) for f in os.listdir(sys.argv[3]) if f.endswith(".pdf"))
    single = [f for f in files if b"Pages:           1\n" in subprocess.run(["pdfinfo", f], capture_output=True).stdout]
    chosen = sorted({single[i * len(single) // PAGES] for i in range(PAGES)})
    with tempfile.TemporaryDirectory() as folder:
        for f in chosen:
            os.symlink(os.path.abspath(f), os.path.join(folder, os.path.basename(f)))
        sys.argv = [sys.argv[1], sys.argv[2], folder, "--condition", "scan", *sys.argv[4:]]
        score.main()


main()
