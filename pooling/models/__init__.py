"""Models that judge: prompts, endpoints, strict reading of answers, batch files, and a judge without network.

from pooling.models import PROMPTS, ChatEndpoint, ChatJudge, Pair, ask, checked_scale
scale = checked_scale([(0, "Not relevant"), (1, "Relevant")])
judge = ChatJudge(ChatEndpoint("http://localhost:11434/v1", "qwen3:4b"), PROMPTS["direct"], scale)
for answer in ask(judge, [Pair("1", "d1", {"title": "green tea"}, "Tea is made from leaves.")], seed=1):
    print(answer.grade, answer.reason)
"""

from pooling.models.anchors import anchor_pairs
from pooling.models.answers import Answer, Pair
from pooling.models.ask import Asking, ask, in_drawn_order
from pooling.models.batch import BatchAnswers, read_batch, write_batch
from pooling.models.budget import Budget, Price
from pooling.models.chat import ChatJudge
from pooling.models.dry_run import DryRun, dry_run
from pooling.models.endpoint import ChatEndpoint
from pooling.models.functions import CallableJudge
from pooling.models.grades import REASONS, read_grade, repeats_instruction
from pooling.models.offline import OfflineGrades, offline_judge
from pooling.models.prompts import FIELDS, Example, Prompt
from pooling.models.scale import Scale, checked_scale
from pooling.models.starting_prompts import PARAPHRASES, PROMPTS
from pooling.models.tables import answers_frame
from pooling.models.umbrela import ZERO_WARNING, UmbrelaJudge, zeros_sentence
from pooling.models.variants import prompt_variants

__all__ = [
    "FIELDS",
    "PARAPHRASES",
    "PROMPTS",
    "REASONS",
    "ZERO_WARNING",
    "Answer",
    "Asking",
    "BatchAnswers",
    "Budget",
    "CallableJudge",
    "ChatEndpoint",
    "ChatJudge",
    "DryRun",
    "Example",
    "OfflineGrades",
    "Pair",
    "Price",
    "Prompt",
    "Scale",
    "UmbrelaJudge",
    "anchor_pairs",
    "answers_frame",
    "ask",
    "checked_scale",
    "dry_run",
    "in_drawn_order",
    "offline_judge",
    "prompt_variants",
    "read_batch",
    "read_grade",
    "repeats_instruction",
    "write_batch",
    "zeros_sentence",
]
