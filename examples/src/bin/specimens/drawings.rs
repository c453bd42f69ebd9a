//! The drawn specimens, all of the invented Mira Kole from Utopia.

use image::Rgb;

use crate::canvas::{Canvas, Colour};

/// The data page of a passport.
pub(crate) fn passport() -> Canvas {
    let mut page = Canvas::new((600, 420), PAPER);
    page.rectangle((0, 0), (600, 54), BLUE);
    page.text((24, 17), 3, WHITE, "UTOPIA  PASSPORT");
    page.text((204, 196), 8, PALE, SPECIMEN);
    portrait(&mut page, (24, 78));
    lines(
        &mut page,
        (210, 84),
        &[
            ("SURNAME", "KOLE"),
            ("GIVEN NAMES", "MIRA"),
            ("NATIONALITY", "UTOPIAN"),
            ("DATE OF BIRTH", "14 MAR 1990"),
            ("SEX", "F"),
            ("PASSPORT NO.", "X12345678"),
            ("DATE OF EXPIRY", "13 JUN 2031"),
        ],
    );
    page.rectangle((0, 340), (600, 80), WHITE);
    page.text((36, 356), 2, INK, "P<UTOKOLE<<MIRA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<");
    page.text((36, 386), 2, INK, "X123456785UTO9003141F3106132<<<<<<<<<<<<<<02");
    page
}

/// A driver's licence.
pub(crate) fn licence() -> Canvas {
    let mut card = Canvas::new((480, 300), PAPER);
    card.rectangle((0, 0), (480, 44), GREEN);
    card.text((20, 14), 2, WHITE, "UTOPIA  DRIVING LICENCE");
    card.text((188, 222), 6, PALE, SPECIMEN);
    portrait(&mut card, (20, 60));
    lines(
        &mut card,
        (200, 66),
        &[
            ("NAME", "KOLE, MIRA"),
            ("DATE OF BIRTH", "14 MAR 1990"),
            ("VALID UNTIL", "30 NOV 2033"),
            ("LICENCE NO.", "D-4711-0815"),
        ],
    );
    card
}

/// A picture that somebody took of herself.
pub(crate) fn selfie() -> Canvas {
    let mut picture = Canvas::new((360, 480), SKY);
    picture.rectangle((0, 300), (360, 180), GREEN);
    picture.ellipse((180, 470), (150, 140), BLUE);
    face(&mut picture, (180, 220), 110);
    picture.text((84, 440), 4, WHITE, SPECIMEN);
    picture
}

/// The photograph on a card, 150 by 190 pixels.
fn portrait(card: &mut Canvas, (left, top): (u32, u32)) {
    card.rectangle((left, top), (150, 190), SKY);
    card.ellipse((left + 75, top + 190), (60, 50), BLUE);
    card.rectangle((left, top + 190), (150, 51), PAPER);
    face(card, (left + 75, top + 90), 48);
}

/// A head, `size` pixels from its middle to an ear.
fn face(canvas: &mut Canvas, (x, y): (u32, u32), size: u32) {
    let part = |tenths: u32| size * tenths / 10;
    canvas.ellipse((x, y - part(3)), (part(11), part(12)), HAIR);
    canvas.rectangle((x - part(3), y + part(8)), (part(6), part(9)), SKIN);
    canvas.ellipse((x, y), (part(9), part(12)), SKIN);
    canvas.ellipse((x, y - part(11)), (part(8), part(4)), HAIR);
    for eye in [x - part(4), x + part(4)] {
        canvas.ellipse((eye, y - part(2)), (part(2), part(1)), WHITE);
        canvas.ellipse((eye, y - part(2)), (part(1), part(1)), INK);
    }
    canvas.ellipse((x, y + part(2)), (part(1), part(2)), SHADE);
    canvas.ellipse((x, y + part(6)), (part(4), part(2)), RED);
    canvas.ellipse((x, y + part(5)), (part(4), part(1)), SKIN);
}

/// Labels with their values below them.
fn lines(card: &mut Canvas, (left, top): (u32, u32), lines: &[(&str, &str)]) {
    for ((label, value), y) in lines.iter().zip((top..).step_by(35)) {
        card.text((left, y), 1, BLUE, label);
        card.text((left, y + 11), 2, INK, value);
    }
}

const SPECIMEN: &str = "SPECIMEN";

const WHITE: Colour = Rgb([255, 255, 255]);
const PAPER: Colour = Rgb([240, 236, 224]);
const PALE: Colour = Rgb([244, 200, 196]);
const INK: Colour = Rgb([32, 32, 40]);
const RED: Colour = Rgb([176, 56, 60]);
const GREEN: Colour = Rgb([64, 120, 88]);
const BLUE: Colour = Rgb([44, 72, 128]);
const SKY: Colour = Rgb([196, 216, 232]);
const SKIN: Colour = Rgb([224, 176, 140]);
const SHADE: Colour = Rgb([196, 144, 112]);
const HAIR: Colour = Rgb([88, 56, 40]);
