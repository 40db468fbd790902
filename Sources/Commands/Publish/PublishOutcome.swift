import StrictJSON
import Updates

extension PackagePublisher.Outcome {
  /// A line for people.
  func text(isDry: Bool) -> String {
    let verb =
      switch (isNew, isDry) {
      case (true, true): "would be offered"
      case (true, false): "is offered"
      case (false, true) where permyriad == permyriadBefore: "is offered already"
      case (false, false) where permyriad == permyriadBefore: "goes on to be offered"
      case (false, true): "would be offered from now on"
      case (false, false): "is offered from now on"
      }
    let other = permyriadBefore.flatMap { $0 == permyriad ? nil : RolloutShare(permyriad: $0) }
    let share =
      "\(RolloutShare(permyriad: permyriad)) of devices\(other.map { ", \($0) before" } ?? "")"
    let update = before.map { before in
      ", \(Figures.bytes(updateByteCount ?? 0)) for those that have \(before)"
    }
    return
      "\(appID): \(version) \(verb) to \(share), \(Figures.bytes(wholeByteCount)) to fetch\(update ?? "")\n"
  }

  /// What else is worth knowing; nil for most.
  var note: String? {
    outdoneBy.map {
      "\(appID): no device takes \(version): \($0), which is later, is offered to all of them; "
        + "'ingot publish withdraw \($0)' has them leave it"
    }
  }

  var json: JSONValue {
    [
      "app": .string(appID), "version": .string("\(version)"), "isNew": .bool(isNew),
      "permyriad": .integer(permyriad),
      "permyriadBefore": permyriadBefore.map { .integer($0) } ?? .null,
      "installedBytes": .integer(installedByteCount),
      "wholeBytes": .integer(wholeByteCount),
      "updateBytes": updateByteCount.map { .integer($0) } ?? .null,
      "tag": tag.map { .string($0) } ?? .null,
      "before": before.map { .string("\($0)") } ?? .null,
      "outdoneBy": outdoneBy.map { .string("\($0)") } ?? .null,
    ]
  }
}
