import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate

// What a refusal says.
extension EncoderPairGateTests {
  @Test func aRefusalNamesThePairsAndTheEncoderThatMovedThem() throws {
    let verdict = try judge(
      [
        try DummyEncoders.image(.greenInRed(0.001)),
        try DummyEncoders.text(["water": (0.14, 0.9902)]),
      ],
      lines: [pair(image("bottle.png"), text("a water bottle"))]
        + Self.lines.dropFirst(), threshold: 0.2)
    #expect(verdict.receipts.isEmpty)
    // Of bottle and water together: (0.59, 1.057) before, (0.44, 1.0902) after.
    #expect(
      verdict.reasons.contains(
        #"bottle.png ↔ "a water bottle": 0.49 → 0.38 (line 1); the text encoder alone: 0.37, "#
          + "the image encoder alone: 0.49"), "\(verdict.reasons)")
    #expect(
      verdict.reasons.filter { $0.hasPrefix("swapping in ") }.map { $0.prefix(25) }
        == ["swapping in 'table' alone"], "\(verdict.reasons)")
  }

  @Test func aPhotoAndAPhraseAreNamed() throws {
    let lines = [
      pair(image("bottle.png"), text("water")), pair(image("bottle.png"), text("tea")),
    ]
    let both = try judge(
      [
        try DummyEncoders.image(.greenInRed(0.0001)),
        try DummyEncoders.text(["water": (0.14, 0.9902)]),
      ],
      lines: lines, threshold: 0.2)
    #expect(
      both.reasons.contains(
        #"bottle.png ↔ "water": 0.29 → 0.14 (line 1); the text encoder alone: 0.14, "#
          + "the image encoder alone: 0.29"))
    #expect(
      both.reasons.contains(
        #"bottle.png ↔ "water" crosses the threshold 0.2: 0.29 → 0.14 (line 1), from a margin of "#
          + "0.09 where 0.01 is tolerated (standard); the text encoder alone: 0.14, "
          + "the image encoder alone: 0.29"), "\(both.reasons)")
    #expect(both.flips.map(\.line) == [1])
    let one = try judge([try DummyEncoders.text(["water": (0.14, 0.9902)])], lines: lines)
    let alone = #"bottle.png ↔ "water": 0.29 → 0.14 (line 1); the text encoder moved it"#
    #expect(one.reasons.contains(alone))
    #expect(
      one.reasons.contains {
        $0.hasPrefix(
          #"swapping in 'table' alone moves bottle.png ↔ "water" 0.29 → 0.14, 100 % of the drift"#)
      })
    // An image encoder that is given and is the same moved nothing either.
    let same = try judge(
      [try DummyEncoders.image(), try DummyEncoders.text(["water": (0.14, 0.9902)])], lines: lines)
    #expect(same.reasons.contains(alone))
    #expect(
      same.warnings.contains("the image encoders of baseline and candidate are the same bytes"))
  }

  @Test func theEncoderThatMovesMoreStandsFirst() throws {
    let verdict = try judge(
      [try DummyEncoders.image(.redLikeTea), try DummyEncoders.text(["tea": (0.801, 0.6)])],
      lines: [pair(image("bottle.png"), text("tea")), pair(image("leaf.png"), text("green"))])
    // Red comes out where tea is: 0.8 · 0.6 + 0.6 · 0.8.
    #expect(
      verdict.reasons.contains {
        $0.hasPrefix(
          #"bottle.png ↔ "tea": 0.8 → 0.96 (line 1); the image encoder alone: 0.96, "#
            + "the text encoder alone: 0.8")
      }, "\(verdict.reasons)")
  }

  @Test func pairsOfOneKindNameNoEncoder() throws {
    let verdict = try judge(
      [try DummyEncoders.image(.greenInRed(0.0001)), try DummyEncoders.text(["tea": (0.6, 0.8)])],
      lines: [
        pair(text("tea"), text("red")), pair(image("bottle.png"), text("green")),
      ])
    #expect(verdict.reasons.contains(#""tea" ↔ "red": 0.8 → 0.6 (line 1)"#))
  }

  @Test func aWeightThatHasNoPartInTheWorstPairIsShownByAnInputOfItsOwn() throws {
    // All pictures turn by a right angle together: no pair of them moves.
    let verdict = try judge(
      [try DummyEncoders.image(.rightAngle), try DummyEncoders.text(["tea": (0.7, 0.71)])],
      lines: [pair(text("tea"), text("red")), pair(image("bottle.png"), image("leaf.png"))])
    let swaps = verdict.reasons.filter { $0.hasPrefix("swapping in ") }
    #expect(swaps.count == 1)
    #expect(
      swaps.first?.hasPrefix(
        "swapping in 'visual' alone turns bottle.png to cosine 0, 99 % of the drift") == true,
      "\(swaps)")
  }

}
