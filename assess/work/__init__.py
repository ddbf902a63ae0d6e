"""The work of a campaign: previews of assignments, pilots, monitoring, reminders, and pausing and closing judging."""
