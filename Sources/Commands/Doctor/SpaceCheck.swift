import Files
import StrictJSON

/// The folders that are written to: whether they can be, and how much fits.
enum SpaceCheck: MachineCheck {
  private static let spaceNeeded = 1 << 30

  static func findings(_ subject: DoctorSubject) -> [MachineFinding] {
    let temporary = System.environment("TMPDIR") ?? "/tmp"
    return [
      finding("output folder", subject.output), finding("temporary folder", temporary),
      subject.store.map { finding("store folder", $0) }
        ?? MachineFinding(
          name: "store folder", status: .warning, found: "neither INGOT_STORE nor HOME is set",
          mend: "set INGOT_STORE to a folder, or build with --no-store"),
    ]
  }

  private static func finding(_ name: String, _ path: String) -> MachineFinding {
    let nearest = existing(path)
    guard Folder.kind(of: nearest) == .folder else {
      return MachineFinding(
        name: name, status: .missing, found: "\(nearest) is no folder",
        mend: "choose another folder, or move the file")
    }
    guard Permissions.canWrite(nearest) else {
      return MachineFinding(
        name: name, status: .missing, found: "\(nearest) cannot be written to",
        mend: "chmod u+w \(nearest), or choose another folder")
    }
    guard let free = Machine.freeByteCount(at: nearest) else {
      return MachineFinding(name: name, status: .ok, found: path)
    }
    let found = "\(path), \(Figures.bytes(free)) free"
    guard free < spaceNeeded else { return MachineFinding(name: name, status: .ok, found: found) }
    return MachineFinding(
      name: name, status: .warning, found: found,
      mend: "make room; \(Figures.bytes(spaceNeeded)) is on the safe side")
  }

  /// The deepest part of a path that is there.
  private static func existing(_ path: String) -> String {
    var path = path
    while Folder.kind(of: path) == .missing, Folder.parent(of: path) != path {
      path = Folder.parent(of: path)
    }
    return path
  }
}
