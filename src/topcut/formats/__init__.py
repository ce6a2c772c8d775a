"""What do files say? One module or folder for each format, reading into the builders of other packages."""
