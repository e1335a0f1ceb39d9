"""Evidence: claims, the engines that verify them, and the audit that reports what was found."""
