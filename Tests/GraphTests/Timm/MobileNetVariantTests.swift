import Testing

@testable import Graph

@Suite struct MobileNetVariantTests {
  @Test func namesSayWhatWeightsDoNot() throws {
    let small = try #require(MobileNetVariant(named: "mobilenetv3_small_100"))
    #expect(small.strides == [2, 2, 2, 1, 2, 1])
    #expect(small.rules.epsilon == 1e-5)
    #expect(small.rules.padding == .centred)
    #expect(
      (0..<4).map { small.activation(ofStage: $0) } == [.relu, .relu, .hardSwish, .hardSwish])
    let lite = try #require(MobileNetVariant(named: "tf_efficientnet_lite0"))
    #expect(lite.rules.epsilon == 1e-3)
    #expect(lite.rules.padding == .tensorFlow)
    #expect(lite.activation(ofStage: 0) == .relu6)
  }

  @Test(arguments: ["mobilenetv3_rw", "efficientnet_b9", "mobilenetv4_hybrid_medium", ""])
  func othersAreNotKnown(_ name: String) {
    #expect(MobileNetVariant(named: name)?.strides == nil)
  }

  @Test func paddingIsThatOfTheLibrary() {
    #expect(WindowSteps.centred([3, 3], stride: 2).padding == [1, 1, 1, 1])
    #expect(WindowSteps.same([3, 3], stride: 2, image: [224, 224]).padding == [0, 1, 0, 1])
    #expect(WindowSteps.same([5, 5], stride: 2, image: [15, 15]).padding == [2, 2, 2, 2])
  }
}
