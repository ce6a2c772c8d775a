"""How do other programs hear of what happens? Webhooks: records, addresses, deliveries."""
