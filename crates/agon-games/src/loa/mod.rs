//! Lines of Action with rotating blocks, on boards up to 30×30.
