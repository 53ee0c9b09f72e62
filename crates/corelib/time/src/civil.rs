//! Calendar arithmetic: days since 1970 to dates of the proleptic Gregorian calendar and back.

/// A date and time of day, without zone.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Civil {
    pub year: i64,
    pub mon: u8,
    pub mday: u8,
    pub hour: u8,
    pub min: u8,
    pub sec: u8,
    /// Sunday is 0.
    pub wday: u8,
    /// The first of January is 1.
    pub yday: u16,
}

/// Quotient, rounded down, and remainder; in machine words where they do.
#[inline]
pub fn div_rem(number: i128, by: i64) -> (i128, i64) {
    match i64::try_from(number) {
        Ok(number) => (number.div_euclid(by) as i128, number.rem_euclid(by)),
        Err(_) => (number.div_euclid(by as i128), number.rem_euclid(by as i128) as i64),
    }
}

pub fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub fn days_in_month(year: i64, mon: u8) -> u8 {
    match mon {
        2 => 28 + is_leap(year) as u8,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to a date. Years are counted from March, so that the leap day comes last; 400 years are an era.
pub fn days_from_civil(year: i64, mon: u8, mday: u8) -> i128 {
    let year = year as i128 - (mon <= 2) as i128;
    let (era, year_of_era) = div_rem(year, 400);
    let month = (mon as i64 + 9) % 12;
    let day_of_year = (153 * month + 2) / 5 + mday as i64 - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era as i128 - 719_468
}

/// Seconds from 1970 to a date and time of day, as if it were UTC. The hour may be 24, the second 60.
pub fn seconds_from(year: i64, mon: u8, mday: u8, hour: u8, min: u8, sec: u8) -> i128 {
    days_from_civil(year, mon, mday) * 86_400 + hour as i128 * 3600 + min as i128 * 60 + sec as i128
}

/// The date and time of day of a number of seconds since 1970.
#[inline]
pub fn civil_from(seconds: i128) -> Civil {
    let (days, rest) = div_rem(seconds, 86_400);
    let (era, day_of_era) = div_rem(days + 719_468, 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let mday = (day_of_year - (153 * month + 2) / 5 + 1) as u8;
    let mon = if month < 10 { month + 3 } else { month - 9 } as u8;
    let year = (year_of_era as i128 + era * 400 + (mon <= 2) as i128) as i64;
    // The first of March is the 60th or 61st day, and 306 days lie before the first of January that follows it.
    let yday = if mon > 2 { day_of_year + 60 + is_leap(year) as i64 } else { day_of_year - 305 };
    Civil {
        year,
        mon,
        mday,
        hour: (rest / 3600) as u8,
        min: (rest / 60 % 60) as u8,
        sec: (rest % 60) as u8,
        wday: div_rem(days + 4, 7).1 as u8,
        yday: yday as u16,
    }
}

impl Civil {
    /// The week of the year (0 to 53) when weeks begin on `first` (0 Sunday, 1 Monday).
    pub fn week(&self, first: u8) -> u32 {
        let offset = (self.wday + 7 - first) as u32 % 7;
        (self.yday as u32 + 6 - offset) / 7
    }

    /// Year and week of ISO 8601.
    pub fn iso_week(&self) -> (i64, u32) {
        let weekday = (self.wday as i32 + 6) % 7;
        let week = (self.yday as i32 - 1 - weekday + 10) / 7;
        if week < 1 {
            return (self.year - 1, weeks_in(self.year - 1));
        }
        if week as u32 > weeks_in(self.year) {
            return (self.year + 1, 1);
        }
        (self.year, week as u32)
    }
}

/// 52 or 53: years that begin on a Thursday, or leap years that begin on a Wednesday, are long.
fn weeks_in(year: i64) -> u32 {
    let first = (days_from_civil(year, 1, 1) + 4).rem_euclid(7);
    52 + (first == 4 || first == 3 && is_leap(year)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for days in (-1_000_000..1_000_000).step_by(37) {
            let c = civil_from(days * 86_400 + 3661);
            assert_eq!(days_from_civil(c.year, c.mon, c.mday), days);
            assert_eq!((c.hour, c.min, c.sec), (1, 1, 1));
            assert_eq!(c.yday as i128, days - days_from_civil(c.year, 1, 1) + 1);
        }
    }

    #[test]
    fn iso_weeks() {
        let week = |y, m, d| civil_from(days_from_civil(y, m, d) * 86_400).iso_week();
        assert_eq!(week(2000, 1, 1), (1999, 52));
        assert_eq!(week(2020, 12, 31), (2020, 53));
        assert_eq!(week(2018, 12, 31), (2019, 1));
    }
}
