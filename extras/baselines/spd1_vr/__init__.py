"""SPD1-VR: SPD1 around a snapshot."""
