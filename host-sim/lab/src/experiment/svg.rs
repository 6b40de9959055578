//! Line charts as SVG: axes, curves with bands, a legend below; too little for a library.
//!
//! A chart has a panel of its own behind it, light or dark as the reader's system prefers, so that
//! it can be read on any page. Widths of texts are estimates on the safe side: nothing overlaps
//! with the widest usual fonts.

use std::fmt::Write as _;

use super::Curve;

const WIDTH: f64 = 640.0;
/// Height between the axes.
const PLOT: f64 = 280.0;
/// Distance of everything from the border.
const PAD: f64 = 14.0;
/// Height of a line of text.
const LINE: f64 = 18.0;
/// Width of a character: digits of a wide font such as DejaVu Sans have 7.7 pixels.
const LETTER: f64 = 7.8;
/// Width of a character of the title, which is larger and bold.
const TITLE_LETTER: f64 = 10.0;
/// Width of a line in the legend, with the distance to its name.
const SAMPLE: f64 = 34.0;
/// Colours that colour-blind people can tell apart, on light and on dark panels; curves also differ
/// in their dashes.
const INKS: [[&str; 2]; 6] = [
    ["#0072b2", "#7b9cff"],
    ["#d55e00", "#ff8a3d"],
    ["#009e73", "#2fc79a"],
    ["#b8528f", "#e39cc6"],
    ["#b07d00", "#e6b93c"],
    ["#3a94c9", "#7fd0ff"],
];
const DASHES: [&str; 3] = ["none", "8 3", "3 3"];
/// Dots of published curves: the second and third of a chart have wider gaps.
const DOTS: [&str; 3] = ["1 4", "1 7", "1 4 1 10"];

/// Draws a chart.
pub(crate) fn draw(title: &str, x: &str, y: &str, curves: &[Curve]) -> String {
    let curves: Vec<Curve> = curves.iter().map(Curve::finite).collect();
    let points = || curves.iter().flat_map(|curve| curve.points.iter());
    let edges = curves.iter().flat_map(|curve| curve.band());
    let across = Axis::new(points().map(|point| point.0));
    let up = Axis::new(
        edges
            .flat_map(|(_, low, high)| [low, high])
            .chain(points().map(|point| point.1))
            .chain([0.0]),
    );
    let title = wrapped(title, WIDTH - 2.0 * PAD, TITLE_LETTER);
    let top = PAD + LINE * (title.len() + 1) as f64 + 10.0;
    let foot = top + PLOT;
    let wide = |axis: &Axis| {
        let lengths = axis.marks().map(|mark| axis.number(mark).chars().count());
        lengths.max().unwrap_or(0) as f64 * LETTER
    };
    let (left, right) = (PAD + wide(&up) + 8.0, WIDTH - PAD - wide(&across) / 2.0);
    let x_of = |x: f64| left + across.part(x) * (right - left);
    let y_of = |y: f64| foot - up.part(y) * PLOT;

    let mut chart = Chart::default();
    for (line, text) in title.iter().enumerate() {
        let y = PAD + LINE * line as f64 + 13.0;
        chart.put(format_args!(
            "<text class=\"title\" x=\"{PAD}\" y=\"{y:.1}\" text-anchor=\"start\">{}</text>",
            escaped(text)
        ));
    }
    chart.words(PAD, top - 12.0, "start", y);
    chart.words((left + right) / 2.0, foot + 2.0 * LINE, "middle", x);
    for mark in across.marks() {
        chart.words(
            x_of(mark),
            foot + LINE - 2.0,
            "middle",
            &across.number(mark),
        );
    }
    for mark in up.marks() {
        let y = y_of(mark);
        chart.words(left - 6.0, y + 4.0, "end", &up.number(mark));
        chart.put(format_args!(
            "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>"
        ));
    }

    // The legend: names side by side while there is room, long names over several lines.
    let (mut x, mut y) = (PAD, foot + 3.0 * LINE + 4.0);
    let mut below = y;
    let (mut ours, mut published) = (0, 0);
    for curve in &curves {
        let name = if curve.published {
            format!("{} (published)", curve.name)
        } else {
            curve.name.clone()
        };
        let style = if curve.published {
            published += 1;
            let dots = DOTS[(published - 1) % DOTS.len()];
            format!("class=\"line published\" stroke-dasharray=\"{dots}\"")
        } else {
            ours += 1;
            let (ink, dash) = (
                (ours - 1) % INKS.len(),
                DASHES[(ours - 1) / INKS.len() % DASHES.len()],
            );
            if !curve.spread.is_empty() {
                let band: Vec<_> = curve.band().collect();
                let there = band.iter().map(|&(x, low, _)| (x, low));
                let back = band.iter().rev().map(|&(x, _, high)| (x, high));
                let path = path(there.chain(back).map(|(x, y)| (x_of(x), y_of(y))));
                chart.put(format_args!(
                    "<path class=\"band fill{ink}\" d=\"{path}Z\"/>"
                ));
            }
            format!("class=\"line ink{ink}\" stroke-dasharray=\"{dash}\"")
        };
        match curve.points[..] {
            // A line of one point cannot be seen.
            [(x, y)] => chart.put(format_args!(
                "<circle {style} cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\"/>",
                x_of(x),
                y_of(y)
            )),
            ref points => {
                let path = path(points.iter().map(|&(x, y)| (x_of(x), y_of(y))));
                chart.put(format_args!("<path {style} d=\"{path}\"/>"));
            }
        }
        let lines = wrapped(&name, WIDTH - 2.0 * PAD - SAMPLE, LETTER);
        let longest = lines.iter().map(|line| line.chars().count()).max();
        let width = SAMPLE + longest.unwrap_or(0) as f64 * LETTER;
        if x > PAD && x + width > WIDTH - PAD {
            (x, y) = (PAD, below);
        }
        chart.put(format_args!("<path {style} d=\"M{x:.1} {y:.1}h26\"/>"));
        for (number, line) in lines.iter().enumerate() {
            chart.words(x + SAMPLE, y + 4.0 + LINE * number as f64, "start", line);
        }
        below = below.max(y + LINE * lines.len() as f64);
        x += width + 18.0;
    }
    let height = below + PAD - 8.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {height:.1}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<style>{}</style>\n\
         <rect class=\"panel\" width=\"{WIDTH}\" height=\"{height:.1}\" rx=\"6\"/>\n{}</svg>\n",
        style(),
        chart.0
    )
}

/// The elements drawn so far.
#[derive(Default)]
struct Chart(String);

impl Chart {
    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0, "{element}");
    }

    fn words(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        self.put(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points: Vec<_> = points.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    if points.is_empty() {
        return String::new();
    }
    format!("M{}", points.join("L"))
}

/// The rules of the panel, light and dark.
fn style() -> String {
    let theme = |place: usize, panel: &str, text: &str, grid: &str, grey: &str| {
        let mut rules = format!(
            ".plot .panel{{fill:{panel}}}.plot text{{fill:{text}}}.plot .grid{{stroke:{grid}}}\
             .plot .published{{stroke:{grey}}}"
        );
        for (number, inks) in INKS.iter().enumerate() {
            let ink = inks[place];
            let _ = write!(
                rules,
                ".plot .ink{number}{{stroke:{ink}}}.plot .fill{number}{{fill:{ink}}}"
            );
        }
        rules
    };
    format!(
        ".plot .title{{font-size:14px;font-weight:bold}}\
         .plot .line{{fill:none;stroke-width:2;stroke-linecap:round}}.plot .band{{fill-opacity:.18}}\
         {}@media(prefers-color-scheme:dark){{{}}}",
        theme(0, "#ffffff", "#222222", "#dddddd", "#707070"),
        theme(1, "#1b1f24", "#e6e6e6", "#3a4048", "#b0b0b0"),
    )
}

/// A text in lines of at most this width, broken between words; a single word may be wider only if
/// it has no place to break, and is then cut.
fn wrapped(text: &str, width: f64, letter: f64) -> Vec<String> {
    let most = (width / letter) as usize;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for part in letters.chunks(most) {
            let part: String = part.iter().collect();
            let line = lines.last_mut().filter(|line| {
                line.is_empty() || line.chars().count() + 1 + part.chars().count() <= most
            });
            match line {
                Some(line) if line.is_empty() => *line = part,
                Some(line) => *line = format!("{line} {part}"),
                None => lines.push(part),
            }
        }
    }
    lines
}

/// An axis from one round number to another, with up to eight steps between them.
struct Axis {
    low: f64,
    step: f64,
    steps: u32,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low < high {
            (low, high)
        } else if low > high {
            // Nothing to show.
            (0.0, 1.0)
        } else {
            (low.min(0.0), low.max(0.0) + 1.0)
        };
        // 1, 2 or 5 times a power of ten.
        let least = (high - low) / 7.0;
        let power = 10f64.powf(least.log10().floor());
        let step = power
            * [1.0, 2.0, 5.0, 10.0]
                .into_iter()
                .find(|times| times * power >= least * 0.999)
                .unwrap_or(10.0);
        let low = (low / step).floor() * step;
        Axis {
            low,
            step,
            steps: ((high - low) / step - 0.001).ceil().max(1.0) as u32,
        }
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        (0..=self.steps).map(|mark| self.low + f64::from(mark) * self.step)
    }

    /// The position of a value on the axis, from 0 to 1.
    fn part(&self, value: f64) -> f64 {
        (value - self.low) / (f64::from(self.steps) * self.step)
    }

    /// A mark of the axis, in thousands or millions where the axis has large numbers.
    fn number(&self, mark: f64) -> String {
        let high = self.low + f64::from(self.steps) * self.step;
        let (unit, sign) = match high.abs().max(self.low.abs()) {
            most if most >= 10_000_000.0 => (1_000_000.0, "M"),
            most if most >= 10_000.0 => (1000.0, "k"),
            _ => (1.0, ""),
        };
        // One digit more than the step needs: rounding must not move a mark.
        let digits = (1.0 - (self.step / unit).log10()).ceil().max(0.0) as usize;
        let text = format!("{:.digits$}", mark / unit);
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.'),
            false => &text[..],
        };
        match text {
            "0" | "-0" => "0".into(),
            _ => format!("{text}{sign}"),
        }
    }
}

/// Text as the content of an element or an attribute, in SVG and HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str) -> Curve {
        Curve::new(name, vec![(0.0, 1.0), (1.0, 3.0)])
    }

    #[test]
    fn pictures_have_all_curves_and_no_loose_signs() {
        let banded = Curve {
            spread: vec![0.5, 4.0],
            ..curve("two & three")
        };
        let single = Curve::new("one run", vec![(0.5, 2.0)]);
        let odd = Curve::new("odd", vec![(0.0, f64::NAN), (f64::INFINITY, 1.0)]);
        let published = Curve::published("paper", vec![(0.0, 2.0), (1.0, 2.0)]);
        let text = draw(
            "a < b",
            "x",
            "y",
            &[curve("one"), banded, single, odd, published],
        );
        assert!(text.contains("a &lt; b") && text.contains("two &amp; three"));
        assert!(text.contains("paper (published)") && text.contains("line published"));
        assert!(!text.contains("NaN") && !text.contains("inf"));
        assert_eq!(text.matches("class=\"line").count(), 10);
        assert_eq!(text.matches("class=\"band fill1\"").count(), 1);
        assert_eq!(text.matches("<circle").count(), 1);
        // The band reaches from -1 to 7, and so does the axis.
        assert!(text.contains(">-2<") && text.contains(">8<"), "{text}");
        assert!(draw("", "", "", &[]).ends_with("</svg>\n"));
    }

    /// Left, right, top and bottom of the texts of a chart.
    fn boxes(text: &str) -> Vec<(String, [f64; 4])> {
        let part = |line: &str, before: &str| {
            let rest = line.split_once(before).unwrap().1;
            rest.split(['"', '<']).next().unwrap().to_owned()
        };
        let texts = text.lines().filter(|line| line.starts_with("<text"));
        let measure = |line: &str| {
            let is_title = line.contains("class=\"title");
            let words = line.split_once('>').unwrap().1.replace("</text>", "");
            let letter = if is_title { TITLE_LETTER } else { LETTER };
            let width = words.chars().count() as f64 * letter;
            let x: f64 = part(line, "x=\"").parse().unwrap();
            let y: f64 = part(line, "y=\"").parse().unwrap();
            let left = match &part(line, "anchor=\"")[..] {
                "start" => x,
                "middle" => x - width / 2.0,
                _ => x - width,
            };
            (words, [left, left + width, y - 11.0, y + 3.0])
        };
        texts.map(measure).collect()
    }

    #[test]
    fn texts_overlap_neither_each_other_nor_the_border() {
        let long = "a setting with so long a description that no line of a legend has room for all of it, \
                    not even the widest one";
        let names = [
            "α 0.05",
            "α 0.10",
            long,
            "one table",
            "two tables",
            long,
            "7",
            "8",
            "9",
        ];
        let mut curves: Vec<_> = names.map(curve).into();
        curves.push(Curve::published(
            "C 150,000",
            vec![(0.0, 123_456.0), (80_000.0, -1.5)],
        ));
        let title = format!("{long} {}", "w".repeat(200));
        for count in 0..=curves.len() {
            let text = draw(&title, "games", "percent of states", &curves[..count]);
            let height = text.split("viewBox=\"0 0 640 ").nth(1).unwrap();
            let height: f64 = height.split('"').next().unwrap().parse().unwrap();
            let boxes = boxes(&text);
            for (number, (words, [left, right, top, bottom])) in boxes.iter().enumerate() {
                assert!(*left >= 0.0 && *right <= WIDTH, "{words}: {left} {right}");
                assert!(*top >= 0.0 && *bottom <= height, "{words}: {top} {bottom}");
                for (other, [l, r, t, b]) in &boxes[..number] {
                    let apart = right <= l || r <= left || bottom <= t || b <= top;
                    assert!(apart, "{count} curves: `{words}` over `{other}`");
                }
            }
        }
    }

    #[test]
    fn axes_have_round_numbers_and_hold_all_values() {
        for (low, high, marks) in [
            (0.0, 8000.0, vec!["0", "2000", "4000", "6000", "8000"]),
            (-80.16, 75.54, vec!["-100", "-50", "0", "50", "100"]),
            (0.0, 1.0, vec!["0", "0.2", "0.4", "0.6", "0.8", "1"]),
            (5.0, 5.0, vec!["0", "1", "2", "3", "4", "5", "6"]),
            (
                0.0,
                0.0004,
                vec!["0", "0.0001", "0.0002", "0.0003", "0.0004"],
            ),
            (
                2500.0,
                14_000.0,
                vec!["2k", "4k", "6k", "8k", "10k", "12k", "14k"],
            ),
            (0.0, 2e7, vec!["0", "5M", "10M", "15M", "20M"]),
        ] {
            let axis = Axis::new([low, high].into_iter());
            let found: Vec<_> = axis.marks().map(|mark| axis.number(mark)).collect();
            assert_eq!(found, marks);
            assert!(axis.part(low) >= 0.0 && axis.part(high) <= 1.0);
        }
    }
}
