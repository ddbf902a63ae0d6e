"""Can a model judge replace people, for the ranking of these systems?"""

from agreement.trust.alternative_annotator import AlternativeAnnotatorTest, alternative_annotator_test
from agreement.trust.calibration import Calibration, calibration
from agreement.trust.drift import Drift, drift
from agreement.trust.people_agreement import PeopleAgreement, agreement_with_people
from agreement.trust.ranking import ModelRanking, ranking_under_model
from agreement.trust.repeats import RepeatAgreement, repeat_agreement
from agreement.trust.report import TrustReport, trust_report
from agreement.trust.robustness import Robustness, robustness
from agreement.trust.verdict import TrustThresholds, Verdict, verdict

__all__ = [
    "AlternativeAnnotatorTest",
    "Calibration",
    "Drift",
    "ModelRanking",
    "PeopleAgreement",
    "RepeatAgreement",
    "Robustness",
    "TrustReport",
    "TrustThresholds",
    "Verdict",
    "agreement_with_people",
    "alternative_annotator_test",
    "calibration",
    "drift",
    "ranking_under_model",
    "repeat_agreement",
    "robustness",
    "trust_report",
    "verdict",
]
