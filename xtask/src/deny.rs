use crate::checks::Verdict;
pub(crate) fn check() -> Result<Verdict, String> {
    Ok(Verdict::Passed)
}
