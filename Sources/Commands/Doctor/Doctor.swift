import StrictJSON

/// Everything that is looked at, in the order in which it is told.
enum Doctor {
  private static let checks: [any MachineCheck.Type] = [
    LibraryCheck.self, ProcessorCheck.self, SpaceCheck.self, AccessCheck.self, TimeCheck.self,
    SigningCheck.self,
  ]

  /// - Parameter progress: told how many checks are done, of how many.
  static func findings(
    _ subject: DoctorSubject, progress: (Int, Int) -> Void
  ) -> [MachineFinding] {
    let findings = checks.enumerated().flatMap { place, check in
      progress(place, checks.count)
      return check.findings(subject)
    }
    progress(checks.count, checks.count)
    return findings
  }
}
