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
      case (false, true): "would go on to be offered"
      case (false, false): "goes on to be offered"
      }
    let share = RolloutShare(permyriad: permyriad)
    let update = before.map { before in
      ", \(Figures.bytes(updateByteCount ?? 0)) for those that have \(before)"
    }
    return
      "\(appID): \(version) \(verb) to \(share) of devices, \(Figures.bytes(wholeByteCount)) to fetch\(update ?? "")\n"
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
      "permyriad": .integer(permyriad), "installedBytes": .integer(installedByteCount),
      "wholeBytes": .integer(wholeByteCount),
      "updateBytes": updateByteCount.map { .integer($0) } ?? .null,
      "tag": tag.map { .string($0) } ?? .null,
      "before": before.map { .string("\($0)") } ?? .null,
      "outdoneBy": outdoneBy.map { .string("\($0)") } ?? .null,
    ]
  }
}
