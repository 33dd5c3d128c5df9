"""Agents to start from and to play against."""
