//! `case`.

use super::word::Role;
use super::{Parser, Read};
use crate::tree::{Arm, ArmEnd, CompoundKind};

impl Parser<'_> {
    /// Behind `case`.
    pub(super) fn case(&mut self) -> Read<CompoundKind> {
        self.skip_blanks();
        let word = self.word(Role::Case)?;
        self.skip_lines()?;
        self.expect_reserved("in")?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines()?;
            if self.eat_reserved(b"esac") {
                break;
            }
            let patterns = self.patterns()?;
            let body = self.script()?;
            self.skip_blanks();
            let end = if self.eat(b";;&") {
                ArmEnd::Continue
            } else if self.eat(b";;") {
                ArmEnd::Break
            } else if self.eat(b";&") {
                ArmEnd::FallThrough
            } else {
                self.expect_reserved("esac")?;
                arms.push(Arm { patterns, body, end: ArmEnd::Break });
                break;
            };
            arms.push(Arm { patterns, body, end });
        }
        Ok(CompoundKind::Case { word, arms })
    }

    fn patterns(&mut self) -> Read<Vec<crate::tree::Word>> {
        if self.peek() == b'(' {
            self.at += 1;
            self.skip_blanks();
            if self.at_reserved(b"esac") {
                return Err(self.unexpected("a pattern"));
            }
        }
        let mut patterns = Vec::with_capacity(1);
        loop {
            self.skip_blanks();
            patterns.push(self.word(Role::Case)?);
            self.skip_blanks();
            match self.peek() {
                b'|' => self.at += 1,
                b')' => {
                    self.at += 1;
                    return Ok(patterns);
                }
                _ => return Err(self.unexpected("`|` or `)`")),
            }
        }
    }
}
