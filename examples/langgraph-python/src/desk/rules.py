"""What the desk may do by itself."""

NEEDS_APPROVAL = ("refund", "discount", "money")


def needs_approval(question: str) -> bool:
    return any(word in question.lower() for word in NEEDS_APPROVAL)
