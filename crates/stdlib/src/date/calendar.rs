//! Calendar arithmetic of dates: Julian day numbers to years, months and days and back, in the Julian calendar before
//! the day of the reform (`start`) and in the Gregorian one from it on. Nothing here knows of objects.
//!
//! Day numbers count from noon of 1 January 4713 BC; `start` is the day number of the first Gregorian day, infinite
//! when one of the calendars always holds.

/// A year, month and day.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Day {
    pub year: i128,
    pub mon: i64,
    pub mday: i64,
}

/// Days before the first of March of year 0 in either calendar.
const GREGORIAN_EPOCH: i128 = 1_721_120;
const JULIAN_EPOCH: i128 = 1_721_118;

pub fn is_gregorian(jd: i128, start: f64) -> bool {
    jd as f64 >= start
}

/// Days from the first of March to the given day; the year begins in March.
fn day_of_year(mon: i64, mday: i64) -> i128 {
    ((153 * ((mon + 9) % 12) + 2) / 5 + mday - 1) as i128
}

fn gregorian_to_jd(year: i128, mon: i64, mday: i64) -> i128 {
    let year = year - (mon <= 2) as i128;
    let (era, rest) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + rest * 365 + rest / 4 - rest / 100 + day_of_year(mon, mday) + GREGORIAN_EPOCH
}

fn julian_to_jd(year: i128, mon: i64, mday: i64) -> i128 {
    let year = year - (mon <= 2) as i128;
    (year * 1461).div_euclid(4) + day_of_year(mon, mday) + JULIAN_EPOCH
}

/// The day number of a date whose month is 1 to 12; the day may lie outside its month.
pub fn civil_to_jd(year: i128, mon: i64, mday: i64, start: f64) -> i128 {
    let jd = gregorian_to_jd(year, mon, mday);
    if is_gregorian(jd, start) { jd } else { julian_to_jd(year, mon, mday) }
}

pub fn jd_to_civil(jd: i128, start: f64) -> Day {
    let (year, day) = if is_gregorian(jd, start) {
        let days = jd - GREGORIAN_EPOCH;
        let (era, rest) = (days.div_euclid(146_097), days.rem_euclid(146_097) as i64);
        let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365;
        (era * 400 + year as i128, rest - (365 * year + year / 4 - year / 100))
    } else {
        let days = jd - JULIAN_EPOCH;
        let year = (days * 4 + 3).div_euclid(1461);
        (year, (days - (year * 1461).div_euclid(4)) as i64)
    };
    let month = (5 * day + 2) / 153;
    let mday = day - (153 * month + 2) / 5 + 1;
    let mon = if month < 10 { month + 3 } else { month - 9 };
    Day { year: year + (mon <= 2) as i128, mon, mday }
}

/// The first day of a year. The reform may have taken the first of January away.
pub fn first_of_year(year: i128, start: f64) -> i128 {
    (1..31).find_map(|mday| existing(year, 1, mday, start)).unwrap_or_else(|| civil_to_jd(year, 1, 1, start))
}

/// The last day of a year.
fn last_of_year(year: i128, start: f64) -> Option<i128> {
    (0..30).find_map(|back| existing(year, 12, 31 - back, start))
}

/// The last day of a month.
fn last_of_month(year: i128, mon: i64, start: f64) -> Option<i128> {
    (0..30).find_map(|back| existing(year, mon, 31 - back, start))
}

/// The day number, when there is such a day.
fn existing(year: i128, mon: i64, mday: i64, start: f64) -> Option<i128> {
    let jd = civil_to_jd(year, mon, mday, start);
    (jd_to_civil(jd, start) == Day { year, mon, mday }).then_some(jd)
}

/// The day number of a date; negative months and days count from the end.
pub fn valid_civil(year: i128, mon: i64, mday: i64, start: f64) -> Option<i128> {
    let mon = if mon < 0 { mon + 13 } else { mon };
    if !(1..=12).contains(&mon) || !(-31..=31).contains(&mday) {
        return None;
    }
    if mday >= 0 {
        return existing(year, mon, mday, start);
    }
    let jd = last_of_month(year, mon, start)? + mday as i128 + 1;
    let day = jd_to_civil(jd, start);
    ((day.year, day.mon) == (year, mon)).then_some(jd)
}

pub fn jd_to_ordinal(jd: i128, start: f64) -> (i128, i64) {
    let year = jd_to_civil(jd, start).year;
    (year, (jd - first_of_year(year, start)) as i64 + 1)
}

pub fn valid_ordinal(year: i128, yday: i64, start: f64) -> Option<i128> {
    if !(-366..=366).contains(&yday) {
        return None;
    }
    let jd = if yday < 0 {
        last_of_year(year, start)? + yday as i128 + 1
    } else {
        first_of_year(year, start) + yday as i128 - 1
    };
    let found = jd_to_ordinal(jd, start);
    (found.0 == year && (yday < 0 || found.1 == yday)).then_some(jd)
}

fn commercial_to_jd(year: i128, week: i64, day: i64, start: f64) -> i128 {
    let near = first_of_year(year, start) + 3;
    near - near.rem_euclid(7) + 7 * (week as i128 - 1) + (day as i128 - 1)
}

/// Year, week and day (Monday is 1) of the calendar of weeks (ISO 8601).
pub fn jd_to_commercial(jd: i128, start: f64) -> (i128, i64, i64) {
    let near = jd_to_civil(jd - 3, start).year;
    let next = commercial_to_jd(near + 1, 1, 1, start);
    let (year, first) = if jd >= next { (near + 1, next) } else { (near, commercial_to_jd(near, 1, 1, start)) };
    let week = 1 + (jd - first).div_euclid(7) as i64;
    let day = match (jd + 1).rem_euclid(7) as i64 {
        0 => 7,
        day => day,
    };
    (year, week, day)
}

pub fn valid_commercial(year: i128, week: i64, day: i64, start: f64) -> Option<i128> {
    if !(-60..=60).contains(&week) || !(-10..=10).contains(&day) {
        return None;
    }
    let day = if day < 0 { day + 8 } else { day };
    let week = if week < 0 {
        let (found, week, _) = jd_to_commercial(commercial_to_jd(year + 1, 1, 1, start) + week as i128 * 7, start);
        if found != year {
            return None;
        }
        week
    } else {
        week
    };
    let jd = commercial_to_jd(year, week, day, start);
    (jd_to_commercial(jd, start) == (year, week, day)).then_some(jd)
}

/// Week 0 are the days before the first Sunday (`first` 0) or Monday (1) of the year; the day counts from that day.
fn weeknum_to_jd(year: i128, week: i64, day: i64, first: i64, start: f64) -> i128 {
    let near = first_of_year(year, start) + 6;
    near - (near - first as i128 + 1).rem_euclid(7) - 7 + 7 * week as i128 + day as i128
}

pub fn jd_to_weeknum(jd: i128, first: i64, start: f64) -> (i128, i64, i64) {
    let year = jd_to_civil(jd, start).year;
    let near = first_of_year(year, start) + 6;
    let days = jd - (near - (near - first as i128 + 1).rem_euclid(7)) + 7;
    (year, days.div_euclid(7) as i64, days.rem_euclid(7) as i64)
}

pub fn valid_weeknum(year: i128, week: i64, day: i64, first: i64, start: f64) -> Option<i128> {
    if !(-60..=60).contains(&week) || !(-10..=10).contains(&day) {
        return None;
    }
    let day = if day < 0 { day + 7 } else { day };
    let week = if week < 0 {
        let (found, week, _) =
            jd_to_weeknum(weeknum_to_jd(year + 1, 1, first, first, start) + week as i128 * 7, first, start);
        if found != year {
            return None;
        }
        week
    } else {
        week
    };
    let jd = weeknum_to_jd(year, week, day, first, start);
    (jd_to_weeknum(jd, first, start) == (year, week, day)).then_some(jd)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITALY: f64 = 2_299_161.0;

    #[test]
    fn there_and_back() {
        for start in [ITALY, f64::INFINITY, f64::NEG_INFINITY] {
            for jd in (-2_000_000..4_000_000).step_by(97) {
                let day = jd_to_civil(jd, start);
                assert_eq!(valid_civil(day.year, day.mon, day.mday, start), Some(jd));
                let (year, yday) = jd_to_ordinal(jd, start);
                assert_eq!(valid_ordinal(year, yday, start), Some(jd));
                let (year, week, day) = jd_to_commercial(jd, start);
                assert_eq!(valid_commercial(year, week, day, start), Some(jd));
                let (year, week, day) = jd_to_weeknum(jd, 1, start);
                assert_eq!(valid_weeknum(year, week, day, 1, start), Some(jd));
            }
        }
    }

    #[test]
    fn reform() {
        assert_eq!(valid_civil(1582, 10, 4, ITALY), Some(2_299_160));
        assert_eq!(valid_civil(1582, 10, 10, ITALY), None);
        assert_eq!(valid_civil(1582, 10, 15, ITALY), Some(2_299_161));
        assert_eq!(valid_civil(-4712, 1, 1, ITALY), Some(0));
        assert_eq!(valid_civil(2001, 2, -1, ITALY), Some(2_451_969));
    }
}
