import Graph
import TestSupport
import Testing

/// Keys of `config.json` that other programs left in models that are plain encoders.
struct BertKeysTests {
  private func fault(_ members: String) -> String? {
    let config = BertTests.edited(BertTests.config, "{", "{\(members), ")
    return message { _ = try BertTests.bert(of: BertTests.texts(["config.json": config])) }
  }

  @Test(arguments: [
    #""pre_trained": "chinese-roberta""#, #""training": true"#, #""structure": ["lstm"]"#,
    #""cell": {"units": 8}"#, #""emb_size": 768"#, #""_num_labels": 5"#, #""emb_size": null"#,
    #""sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity""#,
    #""adapters": {}"#, #""adapters": null"#,
    #""adapters": {"adapters": {}, "config_map": {}, "fusion_config_map": {}, "fusions": {}}"#,
  ])
  func notesOfOthersAreHarmless(members: String) {
    #expect(fault(members) == nil)
  }

  @Test func adaptersThatAddToTheLayersAreRefused() {
    #expect(
      fault(#""adapters": {"adapters": {"sst": "houlsby"}, "config_map": {}}"#)
        == #"model/config.json:1:14: 'adapters' is {"adapters":{"sst":"houlsby"},"config_map":{}}, "#
        + "which is not supported; supported: empty lists, as in a model without adapters")
  }
}
