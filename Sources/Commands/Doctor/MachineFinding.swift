import StrictJSON

/// One thing that `ingot doctor` looked at.
struct MachineFinding {
  enum Status: String {
    case ok
    /// It works, but perhaps not as wanted.
    case warning
    /// Something that is needed is not there.
    case missing
  }

  /// The subject of the check.
  let name: String
  let status: Status
  /// The result of the check.
  let found: String
  /// How to get the missing thing.
  var mend: String?

  var json: JSONValue {
    var object: [String: JSONValue] = [
      "name": .string(name), "status": .string(status.rawValue), "found": .string(found),
    ]
    if let mend { object["mend"] = .string(mend) }
    return .object(object)
  }
}

/// Looks at one kind of thing a machine needs; each kind is a file of its own.
protocol MachineCheck: SendableMetatype {
  static func findings(_ subject: DoctorSubject) -> [MachineFinding]
}

/// The uses that the machine is checked for.
struct DoctorSubject {
  /// A folder with `ingot.yaml`, or the file itself.
  let project: String
  /// The folder for packages.
  let output: String
  /// The folder of the store; nil if there is no place for one.
  let store: String?
}
