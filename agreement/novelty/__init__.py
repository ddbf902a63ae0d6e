"""What relevant documents add to each other: subtopics, diversity qrels, and the agreement of judges about them."""

from agreement.novelty.agreement import NoveltyAgreement, novelty_agreement
from agreement.novelty.qrels import diversity_qrels
from agreement.novelty.subtopics import make_subtopics

__all__ = ["NoveltyAgreement", "diversity_qrels", "make_subtopics", "novelty_agreement"]
