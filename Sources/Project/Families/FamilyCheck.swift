import Graph
import StrictJSON

/// Whether the members of each family can be used by one piece of an app, as all are found by one name: an app makes one
/// dictionary of values, gives it to any member, and reads the labels of all alike.
///
/// Members are compared with the first of their family; of each family one fault at most is noted, in the end.
struct FamilyCheck {
  /// The first member of a family, and those that differ from it.
  private struct Seen {
    let member: String
    let interface: MemberInterface
    let place: Place
    let isMeant: Bool
    var disagreeing: Unlike?
    var ruled: Unlike?
  }

  /// The first member that differs, in what, and how many do.
  private struct Unlike {
    let member: String
    let difference: MemberInterface.Disagreement
    let count: Int

    /// One more than there were.
    init(_ known: Unlike?, or member: String, _ difference: MemberInterface.Disagreement) {
      self.member = known?.member ?? member
      self.difference = known?.difference ?? difference
      count = (known?.count ?? 0) + 1
    }
  }

  private var families: [String: Seen] = [:]
  private var order: [String] = []

  /// Compares a member with its family.
  mutating func look(at job: BuildPlan.Job, _ model: Model) {
    guard let family = job.family else { return }
    let interface = MemberInterface(of: model)
    guard var seen = families[family] else {
      order.append(family)
      families[family] = Seen(
        member: job.label, interface: interface, place: job.sourcePlace,
        isMeant: job.differsFromMembers)
      return
    }
    guard !seen.isMeant else { return }
    if let difference = seen.interface.disagreement(with: interface) {
      seen.disagreeing = Unlike(seen.disagreeing, or: job.label, difference)
    } else if let difference = seen.interface.rules(unlike: interface) {
      seen.ruled = Unlike(seen.ruled, or: job.label, difference)
    } else {
      return
    }
    families[family] = seen
  }

  /// Notes what differs, once for each family.
  func note(in log: ContractSection.Log) {
    for family in order {
      guard let seen = families[family] else { continue }
      let words = "family \(quoted(family))"
      let meant = "or write 'membersDiffer: true' where the app asks each member for its own"
      let unlike = [
        (
          seen.disagreeing, Rule.unlikeMembers,
          seen.disagreeing?.difference.isOfOutput == true
            ? "write the same 'output' (name, kind, columns) in every member's model.json, and give all one kind of model"
            : "train all members on the same columns, categories and labels in one order"
        ),
        (seen.ruled, .unlikeRules, "give no member a value that one of them refuses"),
      ]
      for (unlike, rule, mend) in unlike {
        guard let unlike else { continue }
        log.faults.add(
          rule, seen.place, "\(words): \(FamilyCheck.sentence(seen, unlike))",
          hint: "\(mend), \(meant)")
      }
    }
  }

  /// `label 1 is 'no' in 'users/ada' and 'yes' in 'users/ben'; 3 more members differ from 'users/ada'`.
  private static func sentence(_ seen: Seen, _ unlike: Unlike) -> String {
    let difference = unlike.difference
    let more = unlike.count - 1
    return
      "\(difference.what): \(difference.values.0) in '\(seen.member)', \(difference.values.1) in "
      + "'\(unlike.member)'"
      + (more > 0
        ? "; \(Figures.count(more, "more member")) \(more == 1 ? "differs" : "differ") from "
          + "'\(seen.member)'" : "")
  }
}
