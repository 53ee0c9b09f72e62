//! A program that is scripted in Ruby: a rule file decides about orders, with functions of the program at hand, and its
//! errors are shown with their Ruby backtraces.
//!
//!     cargo run --release -p rubellite --example scripted

use rubellite::{Error, Vm};
use std::collections::BTreeMap;

const RULES: &str = r#"
Order = Struct.new(:customer, :cents)

def shipping(order)
  raise ArgumentError, "no such customer: #{order.customer}" unless Shop.known?(order.customer)
  order.cents >= 50_00 ? 0 : Shop.rate("standard")
end

def quote(customer, cents)
  order = Order.new(customer, cents)
  { "goods" => order.cents, "shipping" => shipping(order) }
end
"#;

fn main() -> Result<(), Error> {
    let vm = Vm::new()?;
    vm.define("Shop", "known?", |scope, args| {
        let name: String = scope.get(args, 0)?;
        Ok(["ada", "grace"].contains(&name.as_str()))
    })?;
    vm.define("Shop", "rate", |scope, args| match scope.get::<String>(args, 0)?.as_str() {
        "standard" => Ok(4_90),
        other => Err(scope.error("KeyError", &format!("no rate {other}"))),
    })?;
    vm.enter(|scope| {
        scope.eval_in::<()>(RULES, "rules.rb")?;
        let main = scope.main();
        for (customer, cents) in [("ada", 12_00), ("grace", 80_00)] {
            let quote: BTreeMap<String, i64> = scope.call(&main, "quote", (customer, cents))?;
            println!("{customer}: {quote:?}");
        }
        let refused = scope.call::<()>(&main, "quote", ("mallory", 1));
        println!("{}", refused.expect_err("mallory is unknown"));
        Ok(())
    })
}
