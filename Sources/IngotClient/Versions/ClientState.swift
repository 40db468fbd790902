import Files
import StrictJSON

/// What a client remembers from one run of the app to the next: one small file, replaced as a whole.
struct ClientState: Equatable, Sendable {
  /// A check that an app may not have lived to see the end of.
  struct Check: Equatable, Sendable {
    let name: String
    let count: Int
  }

  /// A version that was not confirmed yet.
  struct Trial: Equatable, Sendable {
    /// Whether an app began to use it.
    var isStarted: Bool
  }

  /// The name of the version in use; nil for what the app brought along.
  var current: String?
  /// The one before it, to which a trial goes back; nil for what the app brought along.
  var previous: String?
  /// Nil where the current version is known to work.
  var trial: Trial?
  /// Names of versions that did not work here, and are not tried again.
  var refused: [String] = []
  /// Names of versions that were confirmed once.
  var confirmed: [String] = []
  /// The version whose check was begun and did not end, and how often; nil where none is.
  var checking: Check?
  /// The latest moment at which metadata held, in seconds since 1970: a clock that is set back behind it is not
  /// believed.
  var seen = 0

  private static let schema = 1
  private static let byteLimit = 1 << 20
  /// Far more than are counted before a version is refused.
  private static let mostChecks = 1_000
  /// Versions that are remembered as refused, and as confirmed; the oldest are forgotten.
  private static let mostNames = 1_000

  init() {}

  /// Reads the file: a client's first state where there is none, and where it is not one that a client wrote,
  /// which would keep an app from all updates for ever.
  ///
  /// - Throws: `UpdateError.disk` for a file that cannot be read.
  init(file: String) throws(UpdateError) {
    guard let status = FileStatus(of: file, followsLinks: true),
      status.byteCount <= ClientState.byteLimit
    else { return }
    do {
      self = try ClientState(
        MappedFile.contents(of: file, limit: ClientState.byteLimit), origin: file)
    } catch let error as FileError {
      throw .disk("\(error)")
    } catch {
      self = ClientState()
    }
  }

  private init(_ bytes: [UInt8], origin: String) throws(JSONError) {
    let object = try JSONParser.parseObject(bytes, origin: origin)
    _ = try object.plainInteger("schema", in: 1...ClientState.schema)
    current = object.has("current") ? try object.string("current") : nil
    previous = object.has("previous") ? try object.string("previous") : nil
    trial =
      object.has("trial")
      ? Trial(isStarted: try object.object("trial").bool("isStarted")) : nil
    refused = try Self.names(object, "refused")
    confirmed = try Self.names(object, "confirmed")
    if object.has("checking") {
      let check = try object.object("checking")
      checking = Check(
        name: try check.string("name"),
        count: try check.plainInteger("count", in: 1...ClientState.mostChecks))
    }
    seen = try object.plainInteger("seen")
  }

  private static func names(_ object: JSONObject, _ key: String) throws(JSONError) -> [String] {
    try object.array(key).compactMap(\.string)
  }

  func write(to file: String) throws(UpdateError) {
    var members: [String: JSONValue] = [
      "schema": .integer(ClientState.schema), "seen": .integer(seen),
      "refused": .array(refused.suffix(ClientState.mostNames).map { .string($0) }),
      "confirmed": .array(confirmed.suffix(ClientState.mostNames).map { .string($0) }),
    ]
    if let checking {
      members["checking"] = ["name": .string(checking.name), "count": .integer(checking.count)]
    }
    if let current { members["current"] = .string(current) }
    if let previous { members["previous"] = .string(previous) }
    if let trial { members["trial"] = ["isStarted": .bool(trial.isStarted)] }
    do {
      try AtomicFile.write(Array(JSONValue.object(members).compact.utf8), to: file)
    } catch {
      throw .disk("\(error)")
    }
  }

  // MARK: Steps

  /// Takes a version, on trial if it was not confirmed before.
  mutating func take(_ name: String?) {
    guard name != current else { return }
    // A version on trial is not what a later one goes back to.
    if trial == nil { previous = current }
    current = name
    trial = name.map(confirmed.contains) ?? true ? nil : Trial(isStarted: false)
  }

  /// Ends the trial: the version works.
  mutating func confirm() {
    trial = nil
    if let current, !confirmed.contains(current) { confirmed.append(current) }
  }

  /// Notes that a version is about to be checked.
  ///
  /// - Returns: how often its check was begun without an end, this one counted.
  mutating func beginCheck(_ name: String) -> Int {
    let check = Check(name: name, count: checking?.name == name ? (checking?.count ?? 0) + 1 : 1)
    checking = check
    return check.count
  }

  /// Notes how a check ended.
  mutating func endCheck(_ name: String, isRefused: Bool) {
    checking = nil
    if isRefused, !refused.contains(name) { refused.append(name) }
  }

  /// Goes back to none of these any more.
  mutating func forget(_ withdrawn: [String]) {
    if let previous, withdrawn.contains(previous) { self.previous = nil }
  }

  /// Goes back to the version before, and remembers that the current one does not work.
  mutating func goBack() {
    if let current, !refused.contains(current) { refused.append(current) }
    leave()
  }

  /// Goes back as long as the version has something; it may be taken again.
  mutating func leave(while isTrue: (String) -> Bool) {
    while let name = current, isTrue(name) { leave() }
  }

  /// Goes back to the version before; the current one may be taken again.
  mutating func leave() {
    let next = previous.flatMap { refused.contains($0) ? nil : $0 }
    (current, previous, trial) = (next, nil, nil)
  }
}
