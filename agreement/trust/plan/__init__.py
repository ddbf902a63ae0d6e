"""How many further human grades are needed, drawn how, until the ranking of the systems is known well enough."""

from agreement.trust.plan.plan import GradePlan, plan_grades

__all__ = ["GradePlan", "plan_grades"]
