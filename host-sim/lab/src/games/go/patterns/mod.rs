//! Patterns of moves, induced from game records by inductive logic programming.
//!
//! Read [`examples`] (positions with a candidate move), [`induce`] (the search for clauses), [`text`] (rule files), then
//! [`check`] (how well rules predict recorded moves). The clauses themselves and the matcher that the device runs are in
//! [`dojo_core::games::go::clauses`].

pub mod certify;
pub mod check;
pub mod examples;
pub(crate) mod experiment;
pub mod induce;
pub mod negatives;
pub mod text;
pub mod weights;
pub mod words;

use dojo_core::games::go::clauses::{Clause, Reading, Weighted};

/// The rules that the published player induced, all but one of 31.
pub const PUBLISHED: &str = include_str!("../../../../../../data/go-patterns/published.tsv");

/// A clause with its record on the examples it was induced from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its number in its file.
    pub number: u32,
    /// The conditions.
    pub clause: Clause,
    /// Positive examples that it covers.
    pub positives: u32,
    /// Negative examples that it covers.
    pub negatives: u32,
    /// What a covered move gains; as published: positives minus negatives.
    pub weight: i16,
}

impl Rule {
    /// A rule with the published weight, P − N.
    pub fn new(number: u32, clause: Clause, positives: u32, negatives: u32) -> Rule {
        let weight = i64::from(positives) - i64::from(negatives);
        Rule {
            number,
            clause,
            positives,
            negatives,
            weight: weight.clamp(i16::MIN.into(), i16::MAX.into()) as i16,
        }
    }
}

/// Rules as a bank stores them.
pub fn stored(rules: &[Rule], reading: Reading) -> Vec<u8> {
    let record = |rule: &Rule| {
        let weighted = Weighted {
            clause: rule.clause.clone(),
            reading,
            weight: rule.weight,
        };
        weighted.to_bytes()
    };
    rules.iter().flat_map(record).collect()
}

/// Adds the rules of another sample that are not there yet, and numbers all of them.
pub fn unite(rules: &mut Vec<Rule>, others: Vec<Rule>) {
    for rule in others {
        if rules.iter().all(|known| known.clause != rule.clause) {
            let number = rules.len() as u32 + 1;
            rules.push(Rule { number, ..rule });
        }
    }
}
