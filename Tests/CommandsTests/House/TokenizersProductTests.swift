import Foundation
import TestSupport
import Testing

/// What an app links with the products `IngotTokenizers` and `IngotFeatures`: targets of Swift alone.
struct TokenizersProductTests {
  /// Names in quotes, and those of products of other packages, that each target depends on.
  private func dependencies(_ manifest: String) -> [String: [String]] {
    let targets = manifest.split(separator: /\.(?:executableTarget|target|systemLibrary)\(/)
      .dropFirst()
    let pairs = targets.compactMap { target -> (String, [String])? in
      guard let name = target.firstMatch(of: /^\s*name: "([^"]+)"/)?.1 else { return nil }
      let list = target.firstMatch(of: /^\s*name: "[^"]+",\s*dependencies: \[([^\]]*)\]/)?.1 ?? ""
      return (String(name), list.matches(of: /\w+/).map { String($0.0) })
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The targets of this package, and products of others, that a target is built of.
  private func closure(
    _ manifest: String, of product: String = "IngotTokenizers"
  ) -> Set<String> {
    let all = dependencies(manifest)
    var found: Set<String> = []
    var open = [product]
    while let name = open.popLast() {
      if found.insert(name).inserted { open += all[name] ?? [] }
    }
    return found
  }

  private func files(of target: String) throws -> [String] {
    let folder = "\(Program.repository)/Sources/\(target)"
    return try TemporaryFolder.files(below: folder).map { "\(folder)/\($0)" }
  }

  /// Targets of these without a file of Swift: those of C.
  private func withoutSwift(_ targets: Set<String>) throws -> [String] {
    try targets.subtracting(["protobuf"]).filter { target in
      try !files(of: target).contains { $0.hasSuffix(".swift") }
    }.sorted()
  }

  private let manifest = "\(Program.repository)/Package.swift"

  @Test func theProductHoldsNoC() throws {
    let manifest = try String(contentsOfFile: manifest, encoding: .utf8)
    #expect(manifest.contains(#".library(name: "IngotTokenizers", targets: ["IngotTokenizers"])"#))
    let targets = closure(manifest)
    // SwiftProtobuf reads models of SentencePiece.
    let expected: Set = [
      "IngotTokenizers", "Tokenization", "Imaging", "IngotFeatures", "StrictJSON", "protobuf",
    ]
    #expect(targets == expected)
    #expect(try withoutSwift(targets) == [])
    let other = manifest.replacing(
      #"name: "Imaging", dependencies: ["StrictJSON"]"#,
      with: #"name: "Imaging", dependencies: ["StrictJSON", "CImages"]"#)
    #expect(try withoutSwift(closure(other)) == ["CImages"])
  }

  @Test func featuresNeedNothingElse() throws {
    let manifest = try String(contentsOfFile: manifest, encoding: .utf8)
    #expect(manifest.contains(#".library(name: "IngotFeatures", targets: ["IngotFeatures"])"#))
    let targets = closure(manifest, of: "IngotFeatures")
    #expect(targets == ["IngotFeatures", "StrictJSON"])
    #expect(try withoutSwift(targets) == [])
  }

  /// Every import of something else than the product's own targets, under what it is asked for.
  @Test func theProductImportsNothingElse() throws {
    var others: [String: [String]] = [:]
    for target in closure(try String(contentsOfFile: manifest, encoding: .utf8))
    where target != "protobuf" {
      for file in try files(of: target) where file.hasSuffix(".swift") {
        var condition = ""
        for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
          let words = line.trimmingPrefix { $0 == " " }
          if words.hasPrefix("#") { condition = String(words) }
          guard let name = words.firstMatch(of: /^(?:package |public )?import (\w+)/)?.1,
            ![
              "StrictJSON", "Tokenization", "Imaging", "IngotFeatures", "SwiftProtobuf",
            ].contains(name)
          else { continue }
          let path = file.split(separator: "/Sources/").last.map(String.init) ?? file
          others[path, default: []].append("\(condition): \(name)")
        }
      }
    }
    // protoc writes the first; the second needs the sine of Lanczos' filter.
    #expect(
      others == [
        "Tokenization/SentencePiece/Messages/SentencePiece.pb.swift": [
          "#if canImport(FoundationEssentials): FoundationEssentials", "#else: Foundation",
        ],
        "Imaging/Resampling/ResamplingFilter.swift": [
          "#if canImport(Glibc): Glibc", "#elseif canImport(Musl): Musl", "#else: Darwin",
        ],
      ])
  }
}
