//! `dojo man`: manual pages, one for `dojo` and one for each command.

use std::path::PathBuf;

use dojo_lab::failure::{Done, Failure};
use dojo_lab::{files, nearest, output};

/// Which page, or where all go.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The command, `bank pack` for one inside another; without it the page of `dojo` itself
    command: Vec<String>,
    /// Write the pages of all commands into this folder instead
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
    /// Replace pages that exist
    #[arg(long, requires = "out")]
    force: bool,
}

/// Prints a page, or writes all; `dojo` is the whole command line.
pub fn run(args: Args, dojo: clap::Command) -> Done {
    let pages = pages(dojo)?;
    let Some(folder) = args.out else {
        let command = args.command.join(" ");
        let name = format!("dojo {command}").trim_end().replace(' ', "-");
        let known = pages
            .iter()
            .filter_map(|(name, _)| name.strip_prefix("dojo-"));
        let page = pages.iter().find(|(page, _)| *page == name);
        let (_, page) = page.ok_or_else(|| {
            let names: Vec<_> = known.map(|name| name.replace('-', " ")).collect();
            let all = format!("there are {}", names.join(", "));
            let hint = nearest::hint(&command, names.iter().map(String::as_str), &all);
            Failure::Usage(format!("unknown command `{command}`{hint}"))
        })?;
        return output::print(page);
    };
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(&folder, &error))?;
    for (name, page) in &pages {
        files::write(
            &folder.join(format!("{name}.1")),
            page.as_bytes(),
            args.force,
        )?;
    }
    output::print(&format!("{}: {} pages\n", folder.display(), pages.len()))
}

/// Names and texts of all pages.
fn pages(mut dojo: clap::Command) -> Result<Vec<(String, String)>, Failure> {
    dojo.build();
    let mut pages = vec![];
    render(&dojo, "dojo", &mut pages)?;
    Ok(pages)
}

/// The page of a command and those of the commands inside it.
fn render(command: &clap::Command, name: &str, pages: &mut Vec<(String, String)>) -> Done {
    let mut page = vec![];
    let rendered = clap_mangen::Man::new(command.clone()).render(&mut page);
    rendered.map_err(Failure::check)?;
    pages.push((
        name.into(),
        String::from_utf8(page).map_err(Failure::check)?,
    ));
    let inner = command.get_subcommands();
    inner
        .filter(|inner| inner.get_name() != "help")
        .try_for_each(|inner| render(inner, &format!("{name}-{}", inner.get_name()), pages))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_has_a_page_with_its_examples() {
        let pages = pages(crate::cli::Cli::command()).unwrap();
        assert!(pages.len() > 35, "{}", pages.len());
        assert!(pages.iter().any(|(name, _)| name == "dojo-bank-pack"));
        for (name, page) in pages {
            assert!(page.contains(".SH SYNOPSIS"), "{name}");
            assert!(page.contains("Examples:"), "{name}: {page}");
            let title = name.replace('-', "\\\\-");
            assert!(
                page.contains(&name) || page.contains(&title),
                "{name}: {page}"
            );
        }
    }
}
