import Files
import Packaging

/// The clock, and the time that packages get instead of it.
enum TimeCheck: MachineCheck {
  /// 2020-01-01 and 2100-01-01.
  private static let sane = 1_577_836_800..<4_102_444_800

  static func findings(_ subject: DoctorSubject) -> [MachineFinding] { [clock, epoch] }

  private static var clock: MachineFinding {
    let now = System.secondsSince1970
    let found = Timestamp(seconds: now)?.description ?? "\(now) seconds since 1970"
    guard sane.contains(now) else {
      return MachineFinding(
        name: "clock", status: .warning, found: found,
        mend: "set the clock: whether a signer was valid is judged by it; packages are not touched")
    }
    return MachineFinding(name: "clock", status: .ok, found: found)
  }

  private static var epoch: MachineFinding {
    let name = "SOURCE_DATE_EPOCH"
    let text = System.environment(name)
    guard let text, !text.isEmpty else {
      return MachineFinding(
        name: name, status: .ok, found: "not set; packages are dated 1970-01-01T00:00:00Z")
    }
    do throws(PackagingError) {
      let time = try Timestamp(sourceDateEpoch: text)
      return MachineFinding(name: name, status: .ok, found: "\(time)")
    } catch {
      return MachineFinding(
        name: name, status: .missing, found: "\(error)",
        mend: "export SOURCE_DATE_EPOCH=$(git log -1 --format=%ct), or unset it")
    }
  }
}
