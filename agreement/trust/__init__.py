"""Can a model judge replace people, for the ranking of these systems?"""

from agreement.trust.ranking import ModelRanking, ranking_under_model
from agreement.trust.verdict import TrustThresholds, Verdict, verdict

__all__ = ["ModelRanking", "TrustThresholds", "Verdict", "ranking_under_model", "verdict"]
