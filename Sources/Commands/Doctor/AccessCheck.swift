import Files

/// Checks who may read and write new files.
enum AccessCheck: MachineCheck {
  static func findings(_ subject: DoctorSubject) -> [MachineFinding] {
    let mask = Machine.umask
    let digits = String(mask, radix: 8)
    let found = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    if mask & 0o700 != 0 {
      return [
        MachineFinding(
          name: "umask", status: .missing, found: "\(found) keeps you out of your own files",
          mend: "umask 022")
      ]
    }
    guard mask & 0o002 != 0 else {
      return [
        MachineFinding(
          name: "umask", status: .warning,
          found: "\(found) lets anyone change what is written here", mend: "umask 022")
      ]
    }
    return [MachineFinding(name: "umask", status: .ok, found: found)]
  }
}
