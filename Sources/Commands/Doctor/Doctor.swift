import StrictJSON

/// Everything that is looked at, in the order in which it is told.
enum Doctor {
  private static let checks: [any MachineCheck.Type] = [
    LibraryCheck.self, ProcessorCheck.self, SpaceCheck.self, AccessCheck.self, TimeCheck.self,
    SigningCheck.self,
  ]

  static func findings(_ subject: DoctorSubject) -> [MachineFinding] {
    checks.flatMap { $0.findings(subject) }
  }
}
