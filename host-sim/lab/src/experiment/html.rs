//! One page with the results of all experiments: no scripts, nothing loaded from elsewhere, the
//! same bytes for the same results.

use std::fmt::Write as _;
use std::path::Path;

use super::results::Row;
use super::svg::{self, escaped};
use super::{Experiment, Results, all};
use crate::failure::Failure;

const STYLE: &str = "\
:root{color-scheme:light dark;--paper:#ffffff;--ink:#1d2126;--line:#d4d8dd;--link:#0b5cad;--old:#a33c00}\
@media(prefers-color-scheme:dark){:root{--paper:#111418;--ink:#e3e6ea;--line:#3a4048;--link:#8ab8ff;--old:#ffab70}}\
body{background:var(--paper);color:var(--ink);font:16px/1.5 sans-serif;max-width:60rem;margin:0 auto;padding:1rem}\
a{color:var(--link)}code,pre{font-family:monospace}.wide{overflow-x:auto}.old{color:var(--old)}\
table{border-collapse:collapse;margin:1rem 0}\
th,td{border-bottom:1px solid var(--line);padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}\
td.number,th.number{text-align:right;white-space:nowrap}\
svg{max-width:40rem;width:100%;height:auto;border:1px solid var(--line);border-radius:6px}";

/// The results of a folder as one HTML page.
pub fn page(out: &Path) -> Result<String, Failure> {
    let mut run = vec![];
    let mut never = vec![];
    for experiment in all() {
        match Results::read(out, experiment.name)? {
            Some(results) => run.push(results),
            None => never.push(experiment),
        }
    }
    run.extend(unknown(out)?);
    if run.is_empty() {
        let place = out.display();
        return Err(Failure::Usage(format!(
            "{place}: no results; `dojo experiment NAME --out {place}` makes some"
        )));
    }
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Experiments of Pocket Dojo</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>Experiments of Pocket Dojo</h1>\n\
         <p>Published tables and figures beside ours, made by <code>dojo report</code>, version {version}. Ours is \
         the mean over all runs of a setting, the spread their standard deviation; bands in figures show the same \
         spread.</p>\n<nav>\n<h2>Contents</h2>\n<table>\n\
         <tr><th>experiment</th><th>question</th><th>results</th></tr>\n"
    );
    for results in &run {
        let (name, title) = (escaped(&results.origin.experiment), escaped(&results.title));
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{title}</td><td>{}</td></tr>",
            state(results)
        );
    }
    for Experiment { name, title, .. } in &never {
        let _ = writeln!(
            text,
            "<tr><td>{name}</td><td>{}</td><td class=\"old\">never run: <code>dojo experiment {name}</code></td></tr>",
            escaped(title)
        );
    }
    text += "</table>\n</nav>\n";
    for results in &run {
        section(&mut text, results);
    }
    Ok(text + "</body>\n</html>\n")
}

/// Results of experiments that this program does not have, in the order of their names.
fn unknown(out: &Path) -> Result<Vec<Results>, Failure> {
    let entries = std::fs::read_dir(out).map_err(|error| Failure::file(out, &error))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join(super::results::FINDINGS).is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| Experiment::find(name).is_none())
        .collect();
    names.sort();
    let found: Result<Vec<_>, _> = names.iter().map(|name| Results::read(out, name)).collect();
    Ok(found?.into_iter().flatten().collect())
}

fn state(results: &Results) -> String {
    match results.stale() {
        Some(why) => format!("<span class=\"old\">{}</span>", escaped(&why)),
        None => format!("seed {}", results.origin.seed),
    }
}

fn section(text: &mut String, results: &Results) {
    let (name, title) = (escaped(&results.origin.experiment), escaped(&results.title));
    let command = escaped(&results.command());
    let _ = write!(
        text,
        "<section id=\"{name}\">\n<h2>{title}</h2>\n<p><code>{command}</code> ({})</p>\n\
         <div class=\"wide\"><table>\n<tr><th>setting</th><th>measured</th><th class=\"number\">published</th>\
         <th class=\"number\">ours</th><th class=\"number\">spread</th></tr>\n",
        state(results)
    );
    for Row {
        setting,
        metric,
        published,
        ours,
        spread,
    } in &results.rows
    {
        let published = published.map_or("–".into(), |value| format!("{value:.2}"));
        let _ = write!(
            text,
            "<tr><td>{}</td><td>{}</td>",
            escaped(setting),
            escaped(metric)
        );
        for number in [published, format!("{ours:.2}"), format!("{spread:.2}")] {
            let _ = write!(text, "<td class=\"number\">{number}</td>");
        }
        *text += "</tr>\n";
    }
    *text += "</table></div>\n";
    for plot in &results.figures {
        *text += &svg::draw(&plot.title, &plot.x, &plot.y, &plot.curves);
    }
    if !results.remarks.is_empty() {
        *text += "<ul>\n";
        for remark in &results.remarks {
            let _ = writeln!(text, "<li>{}</li>", escaped(remark));
        }
        *text += "</ul>\n";
    }
    *text += "</section>\n";
}
