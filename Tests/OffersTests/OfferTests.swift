import PackageNames
import StrictJSON
import Testing

@testable import Offers

@Suite struct OfferTests {
  private static func version(_ text: String) throws -> SemanticVersion {
    try #require(SemanticVersion(text))
  }

  private static func offer(
    _ text: String, permyriad: Int = Rollout.whole, min: String? = nil, below: String? = nil,
    bundles: [String] = ["com.customer.app"], status: Offer.Status = .active
  ) throws -> Offer {
    Offer(
      version: try version(text), bundleIdentifiers: bundles, minSDK: try min.map(version),
      belowSDK: try below.map(version), rollout: Rollout(salt: text, permyriad: permyriad),
      status: status)
  }

  private static func device(sdk: String = "5.4.0", _ installID: String = "a") throws -> Device {
    Device(bundleIdentifier: "com.customer.app", sdk: try version(sdk), installID: installID)
  }

  /// The vector that the rule was published with.
  @Test func bucketsAreThoseOfTheRule() {
    let rollout = Rollout(salt: "8362:73", permyriad: 2_813)
    let id = "00000000-0000-0000-0000-000000000001"
    #expect(rollout.bucket(of: id) == 2_813)
    #expect(!rollout.admits(id) && Rollout(salt: "8362:73", permyriad: 2_814).admits(id))
  }

  @Test func aLargerShareHoldsTheSmallerOne() {
    let (small, large) = (
      Rollout(salt: "s", permyriad: 1_000), Rollout(salt: "s", permyriad: 2_500)
    )
    let other = Rollout(salt: "t", permyriad: 2_500)
    let ids = (0..<20_000).map { "device-\($0)" }
    let admitted = ids.filter(small.admits)
    #expect((1_900...2_100).contains(admitted.count))
    #expect(admitted.allSatisfy(large.admits))
    #expect((400...600).contains(admitted.filter(other.admits).count))
  }

  @Test func noneAndAllAreWhatTheySay() {
    let ids = (0..<1_000).map { "\($0)" }
    #expect(!ids.contains(where: Rollout(salt: "s", permyriad: 0).admits))
    #expect(ids.allSatisfy(Rollout(salt: "s", permyriad: Rollout.whole).admits))
  }

  @Test func theHighestVersionThatADeviceMayTakeIsTheBest() throws {
    let device = try Self.device()
    let offers = [
      try Self.offer("1.2.0"), try Self.offer("1.10.0"), try Self.offer("1.11.0", permyriad: 0),
      try Self.offer("2.0.0", min: "6.0.0"), try Self.offer("1.12.0", below: "5.4.0"),
      try Self.offer("1.13.0", bundles: ["com.other.app"]),
      try Self.offer("1.14.0", status: .withdrawn),
    ]
    #expect(offers.best(for: device)?.version.description == "1.10.0")
    #expect(offers.best(for: try Self.device(sdk: "6.0.0"))?.version.description == "2.0.0")
    #expect([Offer]().best(for: device) == nil)
    let obstacles: [Obstacle?] = [
      nil, nil,
      .rollout(bucket: Rollout(salt: "1.11.0", permyriad: 0).bucket(of: "a"), permyriad: 0),
      .sdk(min: try Self.version("6.0.0"), below: nil),
      .sdk(min: nil, below: try Self.version("5.4.0")), .bundleIdentifiers(["com.other.app"]),
      .withdrawn,
    ]
    #expect(offers.map { $0.obstacle(for: device) } == obstacles)
  }

  @Test func anOfferReadsBack() throws {
    let offer = try Self.offer("1.2.0", permyriad: 100, min: "5.4.0", below: "6.0.0")
    let text = Array(offer.json.compact.utf8)
    let read = try Offer(version: offer.version, JSONParser.parseObject(text, origin: "o.json"))
    #expect(read == offer)
  }

  @Test(arguments: [
    #"{"bundleIdentifiers":[1],"rollout":{"salt":"s","permyriad":1},"status":"active"}"#,
    #"{"bundleIdentifiers":[],"rollout":{"salt":"s","permyriad":10001},"status":"active"}"#,
    #"{"bundleIdentifiers":[],"rollout":{"salt":"s","permyriad":-1},"status":"active"}"#,
    #"{"bundleIdentifiers":[],"rollout":{"salt":"s","permyriad":1},"status":"paused"}"#,
    #"{"bundleIdentifiers":[],"rollout":{"salt":"s","permyriad":1},"status":"active","minSDK":"5"}"#,
    #"{"bundleIdentifiers":[],"status":"active"}"#,
  ])
  func whatIsNotUnderstoodIsAnError(_ text: String) throws {
    let object = try JSONParser.parseObject(Array(text.utf8), origin: "o.json")
    let version = try Self.version("1.0.0")
    #expect(throws: JSONError.self) { try Offer(version: version, object) }
  }
}
