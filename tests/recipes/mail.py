"""An email: thanks to an assessor."""

NAME = "thank"
FUNCTION = f"assess/work/{NAME}.py"
TEXT, SUBJECT = f"templates/mail/{NAME}.txt", f"templates/mail/{NAME}_subject.txt"

NEW = {
    FUNCTION: '''"""Thank an assessor by email."""

from django.db import transaction

from assess import mail
from assess.errors import Refused
from assess.models import Member, User


@transaction.atomic
def thank(member: Member, actor: User) -> str:
    """Send thanks to an assessor, and return a sentence for the actor. Refuse if the person has no address."""
    address = member.user.email if member.user else ""
    if not address:
        raise Refused(f"{member.name} has no email address, so nothing can be sent.")
    subject, text = mail.render("thank", {"collection": member.collection, "member": member})
    mail.send(address, subject, text, actor)
    return f"Thanks are being sent to {member.name}."
''',
    TEXT: "{% autoescape off %}Dear {{ member.name }},\n\nthank you for your judgements.\n{% endautoescape %}\n",
    SUBJECT: "{% autoescape off %}Thank you for judging {{ collection }}{% endautoescape %}\n",
}
CHANGES: list[tuple[str, str, str]] = []
