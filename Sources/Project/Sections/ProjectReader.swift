import Files
import Packaging
import Weights

/// Reads a project file, noting every fault at once.
package struct ProjectReader {
  /// The project file's name in a project's folder.
  static let fileName = "ingot.yaml"
  /// Version of the contract.
  static let contractVersion = 1
  private static let keys = ["ingot", "models", "customModels", "customers", "release"]

  /// The project file at a path: a folder with `ingot.yaml`, or the file itself.
  static func file(of path: String) -> String {
    Folder.kind(of: path) == .folder ? Folder.join(path, fileName) : path
  }

  /// Reads the project at a path: a folder with `ingot.yaml`, or the file itself.
  ///
  /// - Returns: nil when there is any error; then `log` holds it.
  package static func read(_ path: String, log: ContractSection.Log) -> Project? {
    let draft = draft(path, log: log)
    return log.faults.hasErrors ? nil : draft?.soundPart
  }

  /// Reads the sound parts of the project at a path; `log` holds every fault.
  ///
  /// - Returns: nil when the file holds no keys at all.
  static func draft(_ path: String, log: ContractSection.Log) -> ProjectDraft? {
    let file = file(of: path)
    let bytes: [UInt8]
    do {
      bytes = try MappedFile.contents(of: file, limit: YAMLReader.sizeLimit)
    } catch {
      log.faults.add(unreadable: file, error)
      return nil
    }
    guard let root = YAMLReader.read(bytes, file: file, naming: keys[0], &log.faults),
      let section = ContractSection(file: root, name: "the project", keys: keys, log: log)
    else { return nil }
    log.bind(toProject: Folder.parent(of: file))
    return draft(section, file: file, ContentDigest(of: bytes))
  }

  private static func draft(
    _ root: ContractSection, file: String, _ digest: ContentDigest
  ) -> ProjectDraft {
    checkVersion(root)
    let folder = Folder.parent(of: file)
    let models = root.node("models").map { sharedModels($0, in: folder, root.log) } ?? []
    let customModels = root.node("customModels").flatMap { node in
      ContractSection(node, name: "'customModels'", log: root.log).map {
        ProjectEntryReader(section: $0, isOfFlows: true, folder: folder).read()
      }
    }
    if root.node("models") == nil && root.node("customModels") == nil {
      root.fault(
        .noModels, root.place, "the project has no models",
        hint: "add 'models' or 'customModels'")
    }
    let customers = root.path(
      "customers", mend: "name the customer list: 'customers: customers.json'")
    let release = root.section("release", mend: "add 'release' with 'version' and 'sdk'")
      .map(ReleaseReader.read)
    return ProjectDraft(
      file: file, digest: digest, folder: folder, models: models,
      hasModels: root.node("models") != nil, hasCustomModels: root.node("customModels") != nil,
      customModels: customModels,
      customers: customers, release: release?.options, sign: release?.sign)
  }

  private static func checkVersion(_ root: ContractSection) {
    guard let node = root.required("ingot", mend: "start the file with 'ingot: 1'") else { return }
    guard node.integer == contractVersion else {
      root.fault(
        .unknownContract, node.place,
        "'ingot' is \(node.kind), this version reads contract \(contractVersion)")
      return
    }
  }

  private static func sharedModels(
    _ node: YAMLNode, in folder: String, _ log: ContractSection.Log
  ) -> [SharedModelDraft] {
    guard let section = ContractSection(node, name: "'models'", log: log) else { return [] }
    var folded: [String: Place] = [:]
    if section.entries.isEmpty { section.fault(.noModels, section.place, "'models' is empty") }
    let models = section.entries.flatMap { name, node -> [SharedModelDraft] in
      let shown = name.value.prefix(80).asciiEscaped
      if !Identifiers.isModelName(name.value) {
        section.fault(
          .badModelName, name.place, "'\(shown)' cannot name a model",
          hint: "at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _")
      } else if !Identifiers.isPortable(name.value) {
        section.fault(
          .badModelName, name.place, "'\(shown)' cannot be unpacked on Windows",
          hint: "choose a name that is none of a device (con, aux, com1) and ends in no dot")
      } else if let first = folded.updateValue(name.place, forKey: name.value.lowercased()) {
        section.fault(
          .badModelName, name.place,
          "model '\(name.value)' differs only in case from the one at "
            + "\(first.line):\(first.column)")
      }
      guard let own = ContractSection(node, name: "model '\(shown)'", log: log) else { return [] }
      let entry = ProjectEntryReader(section: own, isOfFlows: false, folder: folder).read()
      return FamilyReader(name: name, entry: entry, folder: folder, log: log).models()
    }
    guard models.count <= Manifest.modelLimit else {
      section.fault(
        .noRoom, section.place,
        "the project has \(models.count) models, a package holds at most \(Manifest.modelLimit)",
        hint: "split a family over several projects, each with apps of its own")
      return []
    }
    return models
  }
}
