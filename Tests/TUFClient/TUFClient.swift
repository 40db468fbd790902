import Foundation
import TUF

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The three commands that tuf-conformance asks for: `init`, `refresh` and `download`.
///
/// Exit status 0 where a command succeeded, 1 otherwise.
@main
struct TUFClient {
  /// Values of flags, in the order given, and what is not a flag.
  private var flags: [String: [String]] = [:]
  private var words: [String] = []

  static func main() async {
    do {
      try await TUFClient(CommandLine.arguments.dropFirst()).run()
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let word = rest.popFirst() {
      if word.hasPrefix("--"), let value = rest.popFirst() {
        flags[word, default: []].append(value)
      } else {
        words.append(word)
      }
    }
  }

  private func run() async throws {
    switch words.first {
    case "init": try MetadataFolder(try one("--metadata-dir")).write(try root(), "root")
    case "refresh": _ = try await refreshed()
    case "download":
      let updater = try await refreshed()
      for name in flags["--target-name"] ?? [] { try await download(name, updater) }
    default: throw Fault.usage("init ROOT, refresh or download")
    }
  }

  private func one(_ flag: String) throws -> String {
    guard let value = flags[flag]?.last else { throw Fault.usage(flag) }
    return value
  }

  private func root() throws -> [UInt8] {
    guard words.count == 2 else { throw Fault.usage("init ROOT") }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: words[1])))
  }

  private func refreshed() async throws -> MetadataUpdater {
    var updater = try MetadataUpdater(
      source: HTTPSource(base: try one("--metadata-url")),
      store: MetadataFolder(try one("--metadata-dir")),
      now: UpdateTime(seconds: Int(Date().timeIntervalSince1970)))
    try await updater.refresh()
    return updater
  }

  private func download(_ name: String, _ updater: MetadataUpdater) async throws {
    let target = try await updater.target(name)
    let file = URL(fileURLWithPath: try one("--target-dir"))
      .appendingPathComponent(PercentText.quoted(name))
    if let own = try? Data(contentsOf: file),
      (try? target.facts.check([UInt8](own), file: name)) != nil
    {
      return
    }
    let place = PercentText.quoted(updater.place(of: target), keeping: "/")
    let source = HTTPSource(base: try one("--target-base-url"))
    guard let bytes = try await source.fetchQuoted(place, limit: target.facts.length ?? 0) else {
      throw MetadataError.missing(file: name)
    }
    try target.facts.check(bytes, file: name)
    try Data(bytes).write(to: file, options: .atomic)
  }
}

private enum Fault: Error {
  case usage(String)
  case status(Int, String)
}

/// Files below a URL.
private struct HTTPSource: MetadataSource {
  let base: String

  func fetch(_ file: String, limit: Int) async throws -> [UInt8]? {
    // A role's name is quoted as a whole, and its dots stay.
    try await fetchQuoted(PercentText.quoted(file), limit: limit)
  }

  func fetchQuoted(_ place: String, limit: Int) async throws -> [UInt8]? {
    let separator = base.hasSuffix("/") ? "" : "/"
    guard let url = URL(string: base + separator + place) else { throw Fault.usage(place) }
    let (data, response) = try await URLSession.shared.data(from: url)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    if [403, 404].contains(status) { return nil }
    guard status == 200 else { throw Fault.status(status, place) }
    guard data.count <= limit else { throw MetadataError.tooLong(file: place, limit: limit) }
    return [UInt8](data)
  }
}
