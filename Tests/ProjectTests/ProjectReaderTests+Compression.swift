/// How the weights are compressed.
extension ProjectReaderTests {
  static let compressions = [
    Case(
      "unknown scheme", "{scheme: int8}", "{scheme: int3}",
      faults: "5:24: unknown scheme 'int3'; "
        + "choose int8, uint8, int4, uint4, float16, palettize, unique or none"),
    Case(
      "palette without bits", "{scheme: int8}", "{scheme: palettize}",
      faults: "5:24: palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8"),
    Case(
      "bits as words", "{scheme: int8}", "{scheme: palettize, bits: four}",
      faults: "5:41: 'bits' is 'four', expected a whole number"),
    Case(
      "bits beyond all bounds", "{scheme: int8}",
      "{scheme: palettize, bits: 99999999999999999999}",
      faults: "5:41: 'bits' is '99999999999999999999', expected a whole number"),
    Case(
      "compression as a word", "compress: {scheme: int8}", "compress: int8",
      faults: "5:15: 'compress' is 'int8', expected a group of keys"),
    Case(
      "every choice of a scheme", "compress: {scheme: int8}",
      "compress: {scheme: uint4, bits: 4, mode: asymmetric, granularity: per-block, groupSize: 16, "
        + "range: largest, calibration: sentences.jsonl}"),
    Case(
      "vectors", "compress: {scheme: int8}",
      "compress: {scheme: palettize, bits: 2, width: 2, entries: int8}"),
    Case(
      "a table in two parts", "compress: {scheme: int8}",
      "compress: {scheme: split, rows: 8, first: {scheme: int8}, "
        + "rest: {scheme: palettize, bits: 4}, calibration: sentences.jsonl}"),
    Case(
      "one part", "compress: {scheme: int8}",
      "compress: {scheme: split, rows: 8, first: {scheme: int8}}",
      faults: "5:15: the key 'rest' is missing "
        + "[say how these rows are stored: 'rest: {scheme: int8}']"),
    Case(
      "a part beside a recipe", "compress: {scheme: int8}",
      "compress: {recipe: small, rows: 8, first: {scheme: int8}}",
      faults: "5:31: 'recipe' and 'rows' exclude each other "
        + "[a recipe's rules say it all; remove one of the two]",
      "5:40: 'recipe' and 'first' exclude each other "
        + "[a recipe's rules say it all; remove one of the two]"),
    Case(
      "a mode of palettes", "compress: {scheme: int8}",
      "compress: {scheme: palettize, bits: 4, mode: symmetric}",
      faults: "5:24: palettize takes no mode; for a mode use int8, uint8, int4 or uint4"),
    Case(
      "a width in words", "compress: {scheme: int8}",
      "compress: {scheme: palettize, bits: 4, width: two, entries: 8}",
      faults: "5:51: 'width' is 'two', expected a whole number"),
    Case(
      "neither scheme nor recipe", "compress: {scheme: int8}", "compress: {}",
      faults: "5:15: the key 'scheme' is missing "
        + "[choose a scheme such as 'int8' or 'palettize', or a recipe: 'recipe: small']"),
    Case("a built-in recipe", "compress: {scheme: int8}", "compress: {recipe: small}"),
    Case(
      "a recipe with inputs", "compress: {scheme: int8}",
      "compress: {recipe: small, calibration: sentences.jsonl}"),
    Case(
      "an overlap that is dropped", "compress: {scheme: int8}",
      "compress: {recipe: small, calibration: sentences.jsonl, dropOverlap: true}"),
    Case(
      "an overlap of nothing", "compress: {scheme: int8}",
      "compress: {scheme: int8, dropOverlap: true}",
      faults: "5:43: 'dropOverlap' is for 'calibration', which is not there "
        + "[remove 'dropOverlap', or add 'calibration: sentences.jsonl']"),
    Case(
      "a misspelt recipe", "compress: {scheme: int8}", "compress: {recipe: smal}",
      faults: "5:24: no recipe is called 'smal' [did you mean 'small'?]"),
    Case(
      "an unknown recipe", "compress: {scheme: int8}", "compress: {recipe: ours}",
      faults: "5:24: no recipe is called 'ours' [built-in recipes: int8, balanced, small, tiny; "
        + "a file is named with its folder or its ending, such as './ours']"),
    Case(
      "a recipe beside a scheme", "compress: {scheme: int8}",
      "compress: {recipe: small, scheme: int8, bits: 8}",
      faults: "5:31: 'recipe' and 'scheme' exclude each other "
        + "[a recipe's rules say it all; remove one of the two]",
      "5:45: 'recipe' and 'bits' exclude each other "
        + "[a recipe's rules say it all; remove one of the two]"),
    Case(
      "an empty recipe", "compress: {scheme: int8}", "compress: {recipe: }",
      faults: "5:24: 'recipe' is empty [name a recipe: 'recipe: small']"),
    Case(
      "a recipe as a group", "compress: {scheme: int8}", "compress: {recipe: {rules: []}}",
      faults: "5:24: 'recipe' is a group of keys, expected a text"),
    Case(
      "a placeholder in a recipe",
      "source: flows/{flowName}/v{modelVersion}\n  compress: "
        + "{scheme: int8}",
      "source: flows/{flowName}/v{modelVersion}\n  compress: {recipe: \"{flowName}.yaml\"}",
      faults: "10:22: 'recipe' holds a placeholder "
        + "[every custom model is compressed by the same recipe]"),
    Case(
      "a placeholder in a shared model's inputs", "compress: {scheme: int8}",
      "compress: {scheme: int8, calibration: \"{flowName}.jsonl\"}",
      faults: "5:43: 'calibration' holds a placeholder "
        + "[placeholders are for 'customModels'; a shared model has one source]"),
    Case(
      "no inputs after all", "compress: {scheme: int8}",
      "compress: {scheme: int8, calibration: }",
      faults: "5:43: 'calibration' is empty [name inputs like those the app will see: "
        + "'calibration: sentences.jsonl']"),
    Case("weights that stay uncompressed", "compress: {scheme: int8}", "compress: {scheme: none}"),
    Case(
      "bits without a scheme", "compress: {scheme: int8}", "compress: {scheme: none, bits: 8}",
      faults: "5:24: none keeps the weights and takes no number of bits; for a number of bits use "
        + "int8, uint8, int4, uint4 or palettize"),
  ]
}
