"""The kinds and formats of files that are recognised, with their names."""

from dataclasses import dataclass

RANKS_ONLY = "The file has ranks and no scores: the score is 1/rank, and the system is named after the file."


@dataclass(frozen=True)
class FileKind:
    """What a file is.

    Attributes
    ----------
    kind : {"runs", "topics", "documents", "judgements", "pool", "scale"}
        What the file contains.
    format : str
        The short name of the format, such as "trec_run"; it does not change between versions.
    label : str
        The name of the format for users, such as "TREC run".
    note : str
        A sentence if the content alone did not decide, or lacks something; otherwise empty.

    Examples
    --------
    >>> from pooling import recognise
    >>> recognise(b"301 Q0 d7 1 12.5 bm25\\n").label
    'TREC run'
    """

    kind: str
    format: str
    label: str
    note: str = ""


BEIR_NOTE = "The archive has documents, topics and maybe judgements; each reader takes its part."
FILE_KINDS = {
    kind.format: kind
    for kind in (
        FileKind("runs", "trec_run", "TREC run"),
        FileKind("runs", "msmarco_run", "MS MARCO run", RANKS_ONLY),
        FileKind("runs", "run_zip", "ZIP archive of TREC runs"),
        FileKind("judgements", "trec_qrels", "TREC qrels"),
        FileKind("judgements", "beir_qrels", "BEIR qrels"),
        FileKind("judgements", "judgement_csv", "CSV of judgements"),
        FileKind("judgements", "judge_columns", "table of judgements with a column for each judge"),
        FileKind("judgements", "judgement_sheet", "spreadsheet"),
        FileKind("judgements", "judgement_json", "judgements as JSON"),
        FileKind("judgements", "argilla", "Argilla records"),
        FileKind("judgements", "doccano_zip", "ZIP of exports, one file for each annotator"),
        FileKind("judgements", "doccano_json", "doccano export as JSON"),
        FileKind("judgements", "doccano_csv", "doccano export as CSV"),
        FileKind("judgements", "label_studio_json", "Label Studio export as JSON"),
        FileKind("judgements", "label_studio_json_min", "Label Studio export as JSON-MIN"),
        FileKind("judgements", "label_studio_csv", "Label Studio export as CSV or TSV"),
        FileKind("judgements", "potato_json", "Potato annotations as JSON"),
        FileKind("judgements", "potato_csv", "Potato annotations as CSV or TSV"),
        FileKind("judgements", "prodigy", "Prodigy annotations"),
        FileKind("judgements", "quepid_book", "Quepid book"),
        FileKind("judgements", "quepid_case", "Quepid case"),
        FileKind("judgements", "quepid_csv", "Quepid ratings as CSV"),
        FileKind("judgements", "opensearch", "OpenSearch judgement list"),
        FileKind("judgements", "smart_qrels", "SMART qrels"),
        FileKind("judgements", "npl_qrels", "list of relevant documents of NPL"),
        FileKind("judgements", "lisa_qrels", "list of relevant documents of LISA"),
        FileKind("topics", "trec_topics", "TREC topics"),
        FileKind("topics", "xml_topics", "TREC topics in XML"),
        FileKind("topics", "tsv_topics", "topics as TSV"),
        FileKind("topics", "csv_topics", "topics as CSV"),
        FileKind("topics", "colon_topics", "topics as query_id:title"),
        FileKind("topics", "jsonl_topics", "topics as JSON"),
        FileKind("topics", "smart_topics", "SMART topics"),
        FileKind("topics", "npl_topics", "topics of NPL"),
        FileKind("topics", "lisa_topics", "topics of LISA"),
        FileKind("pool", "teaching_ir_pool", "pool of teaching-ir"),
        FileKind("scale", "doccano_labels", "labels of doccano"),
        FileKind("documents", "trec_documents", "TREC documents"),
        FileKind("documents", "smart_documents", "SMART documents"),
        FileKind("documents", "npl_documents", "documents of NPL"),
        FileKind("documents", "lisa_documents", "documents of LISA"),
        FileKind("documents", "jsonl_documents", "documents as JSON"),
        FileKind("documents", "tsv_documents", "documents as TSV"),
        FileKind("documents", "warc", "WARC"),
        FileKind("documents", "beir_zip", "BEIR data set in a ZIP archive, of which the documents are read", BEIR_NOTE),
        FileKind("documents", "zip", "ZIP archive of documents"),
        FileKind("documents", "tar", "TAR archive of documents"),
        FileKind("documents", "html", "HTML page"),
        FileKind("documents", "markdown", "Markdown page"),
    )
}
